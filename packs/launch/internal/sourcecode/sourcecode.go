// Package sourcecode reads the public names of a product out of its source
// files, what is written about them there, and pieces of code to show.
//
// Nothing is executed. Go is read by its own parser; other languages are read
// line by line, which is enough for names and may miss unusual ones.
package sourcecode

import (
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"
)

// MaxSize is how large a file may be to be read: no scanner needs half a second
// for it (6.2(8)).
const MaxSize = 512 << 10

// A Kind is what a symbol is.
type Kind int

// The kinds of symbols.
const (
	Class Kind = iota // any named type
	Function
	Method
	Value // a constant or a variable
)

// A Symbol is a public name.
type Symbol struct {
	Name string
	Kind Kind
	Line int
	Doc  Doc
	// Owner is the type of a method; OwnerLine is where it is declared, if that
	// is in the same file. Only methods that something is written about are
	// symbols; so it is with values of Go.
	Owner     string
	OwnerLine int
}

// Full is the name with that of its type.
func (s Symbol) Full() string {
	if s.Owner == "" {
		return s.Name
	}
	return s.Owner + "." + s.Name
}

// A Doc is what a source file says about something, and the lines where.
type Doc struct {
	Text       string
	Start, End int
}

// A List is a constant list of strings.
type List struct {
	Name       string
	Values     []string
	Start, End int
}

// A File is what a source file has.
type File struct {
	Language string
	Module   string // the name that users import, if the file says or its path does
	Doc      Doc    // of the module
	Symbols  []Symbol
	Lists    []List
	// Program is true for a file of a package that is a program and has no names
	// for others.
	Program bool
	// Exports are the only public names of the package, if it lists them.
	Exports []string
}

var scanners = map[string]func(*File, string, string) error{
	"python": scanPython, "go": scanGo, "javascript": scanScript, "typescript": scanScript,
	"csharp": scanLines, "java": scanLines, "rust": scanLines, "php": scanLines,
}

// extensions are the languages of files.
var extensions = map[string]string{
	".py": "python", ".go": "go", ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascript", ".ts": "typescript", ".tsx": "typescript",
	".cs": "csharp", ".java": "java", ".rs": "rust", ".php": "php", ".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".rb": "ruby", ".kt": "kotlin", ".swift": "swift",
	".sh": "bash", ".json": "json", ".yaml": "yaml", ".yml": "yaml", ".toml": "toml", ".xml": "xml", ".html": "html", ".sql": "sql",
}

// aliases are other names of languages.
var aliases = map[string]string{
	"py": "python", "python3": "python", "golang": "go", "js": "javascript", "mjs": "javascript", "node": "javascript", "ts": "typescript", "c#": "csharp", "cs": "csharp",
	"sh": "bash", "shell": "bash", "zsh": "bash", "yml": "yaml", "rs": "rust", "c++": "cpp", "rb": "ruby", "kt": "kotlin",
}

// Unknown is the language of code that nobody has named.
const Unknown = "unknown"

// Language is the language of a file by its name.
func Language(name string) string {
	if language := extensions[strings.ToLower(path.Ext(name))]; language != "" {
		return language
	}
	return Unknown
}

// LanguageNamed is the language that a fence names.
func LanguageNamed(name string) string {
	name, _, _ = strings.Cut(strings.ToLower(strings.Trim(name, "{}. ")), ",")
	switch {
	case name == "" || !isWord(name):
		return Unknown
	case aliases[name] != "":
		return aliases[name]
	}
	return name
}

func isWord(name string) bool {
	return len(name) <= 20 && !strings.ContainsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("+#-_", r)
	})
}

// IsProgram is false for languages of data, and for those that nobody knows.
func IsProgram(language string) bool {
	return !slices.Contains([]string{Unknown, "json", "yaml", "toml", "xml", "html"}, language)
}

var test = regexp.MustCompile(`_test\.(?:go|py)$|(?:^|/)test_[^/]*\.py$|\.(?:test|spec)\.[cm]?[jt]sx?$|[^/]Tests?\.(?:java|cs)$|(?:^|/)(?:tests?|__tests__|specs?|testdata|fixtures)/`)

// IsTest says whether a path is that of a test.
func IsTest(name string) bool { return test.MatchString(name) }

// CanScan says whether Scan knows the language.
func CanScan(language string) bool { return scanners[language] != nil }

// Scan reads a source file. Its error repeats nothing of the file.
func Scan(name, text string) (File, error) {
	file := File{Language: Language(name)}
	scan := scanners[file.Language]
	switch {
	case scan == nil:
		return file, errors.New("in a language without a scanner")
	case len(text) > MaxSize:
		return file, errors.New("too large to be scanned")
	}
	if err := scan(&file, name, clean(text)); err != nil {
		return file, errors.New("cannot be read as " + file.Language)
	}
	slices.SortStableFunc(file.Symbols, func(a, b Symbol) int { return a.Line - b.Line })
	return file, nil
}

func clean(text string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n"), "\uFFFD")
}

// paragraph is the first paragraph of lines of text, on one line.
func paragraph(lines []string) (text string, count int) {
	var words []string
	for _, line := range lines {
		fields := strings.Fields(line)
		if len(fields) == 0 && len(words) > 0 {
			break
		}
		words = append(words, fields...)
		count++
	}
	return strings.Join(words, " "), count
}
