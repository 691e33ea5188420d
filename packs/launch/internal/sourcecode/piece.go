package sourcecode

import (
	"crypto/sha256"
	"encoding/hex"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"mcpworks/packs/launch/internal/document"
)

// A Piece is code that can be shown.
type Piece struct {
	Language   string
	Code       string // normalised
	Name       string // of the function, if it is one
	Start, End int    // lines of the file
	Doc        Doc    // what is written above a function of Go
	// Imports are the packages that a function of Go uses, sorted.
	Imports []string
}

// Bounds of pieces (6.3). MaxPieceSize bounds what a single line can do.
const (
	minFenceLines, maxFenceLines = 2, 300
	minFileLines, maxFileLines   = 3, 500
	MaxPieceSize                 = 64 << 10
)

// ID is the name of a snippet (C-15).
func ID(code, language string) string {
	sum := sha256.Sum256([]byte(Normalise(code) + "|" + language))
	return hex.EncodeToString(sum[:])
}

// Normalise makes line ends LF and takes away space at the ends of lines and of
// the whole, and nothing else.
func Normalise(code string) string {
	lines := strings.Split(strings.ReplaceAll(code, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\r")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// ID is the name of the piece as a snippet.
func (p Piece) ID() string { return ID(p.Code, p.Language) }

// FromFence makes a piece of code in a document; ok is false if it is too short,
// too long, hardly code, or not to be shown.
func FromFence(fence document.Fence) (piece Piece, ok bool) {
	piece = Piece{Language: LanguageNamed(fence.Language), Code: Normalise(fence.Code), Start: fence.Start, End: fence.End}
	least := minFenceLines
	if piece.Language == "bash" || piece.Language == "console" {
		least = 1 // a command
	}
	return piece, piece.fits(least, maxFenceLines, 30)
}

// FromFile makes pieces of a source file: its functions if it has several, or
// else the whole.
func FromFile(name, text string) []Piece {
	if len(text) > MaxSize {
		return nil
	}
	text, language := clean(text), Language(name)
	pieces := Functions(language, text)
	if len(pieces) < 2 {
		code := Normalise(text)
		pieces = []Piece{{Language: language, Code: code, Start: 1, End: 1 + strings.Count(code, "\n")}}
	}
	var fitting []Piece
	for _, piece := range pieces {
		if piece.Shown() {
			fitting = append(fitting, piece)
		}
	}
	return fitting
}

// Functions are the functions at the top of a file of Python or Go.
func Functions(language, text string) []Piece {
	switch language {
	case "python":
		return pythonFunctions(text)
	case "go":
		return goFunctions(text)
	}
	return nil
}

// fits says whether the piece has so many lines, of which so many in a hundred
// are code.
func (p Piece) fits(least, most, share int) bool {
	lines := strings.Split(p.Code, "\n")
	code := 0
	for _, line := range lines {
		if isCode(strings.TrimSpace(line), p.Language) {
			code++
		}
	}
	size := len(p.Code) <= MaxPieceSize && len(lines) >= least && len(lines) <= most && code*100 >= share*len(lines)
	return size && isShowable(p.Code)
}

// trap is code that a site could take for its own: shortcodes work in code, too.
var trap = regexp.MustCompile(`(?i)\{\{[<%]|</?script\b|javascript:`)

// isShowable says whether code is what it seems to be to a reader, and nothing
// more to a site.
func isShowable(code string) bool {
	hidden := func(r rune) bool {
		return r == '\uFFFD' || unicode.Is(unicode.Cf, r) || unicode.IsControl(r) && r != '\n' && r != '\t'
	}
	return !strings.ContainsFunc(code, hidden) && !trap.MatchString(code)
}

func isCode(line, language string) bool {
	if line == "" || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*") || strings.HasPrefix(line, "* ") {
		return false
	}
	switch language {
	case "c", "cpp", "csharp", "markdown":
		return true
	}
	return line[0] != '#'
}

var pythonFunction = regexp.MustCompile(`^(?:async\s+)?def\s+([A-Za-z_]\w*)`)

func pythonFunctions(text string) []Piece {
	lines := strings.Split(text, "\n")
	var pieces []Piece
	for i := 0; i < len(lines); i++ {
		definition := pythonFunction.FindStringSubmatch(lines[i])
		if definition == nil {
			continue
		}
		start, end := i, i+1
		for start > 0 && strings.HasPrefix(lines[start-1], "@") {
			start--
		}
		for end < len(lines) && (lines[end] == "" || strings.ContainsRune(" \t)#", rune(lines[end][0]))) {
			end++
		}
		for end > i+1 && (strings.TrimSpace(lines[end-1]) == "" || lines[end-1][0] == '#') {
			end--
		}
		pieces = append(pieces, Piece{Language: "python", Code: Normalise(strings.Join(lines[start:end], "\n")), Name: definition[1], Start: start + 1, End: end})
		i = end - 1
	}
	return pieces
}

func goFunctions(text string) []Piece {
	positions := token.NewFileSet()
	parsed, err := parser.ParseFile(positions, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	lines := strings.Split(text, "\n")
	var pieces []Piece
	for _, declaration := range parsed.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || function.Recv != nil {
			continue
		}
		start, end := positions.Position(function.Pos()).Line, positions.Position(function.End()).Line
		piece := Piece{Language: "go", Name: function.Name.Name, End: end, Imports: importsOf(parsed, function)}
		if function.Doc != nil {
			piece.Doc = goDoc(function.Doc, positions)
			if !strings.HasPrefix(piece.Name, "Example") { // whose comment is said before it
				start = piece.Doc.Start
			}
		}
		piece.Start, piece.Code = start, Normalise(strings.Join(lines[start-1:end], "\n"))
		pieces = append(pieces, piece)
	}
	return pieces
}

var (
	importPath = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._~/-]{0,199}$`)
	majorPath  = regexp.MustCompile(`^v[0-9]+$`)
)

// mostImports is how many imports of a file are looked at for each function.
const mostImports = 100

// importsOf are the imports of a file that a function uses. A package is taken to
// have the name that its path ends in.
func importsOf(file *ast.File, function *ast.FuncDecl) []string {
	used := map[string]bool{}
	ast.Inspect(function, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if name, ok := selector.X.(*ast.Ident); ok {
				used[name.Name] = true
			}
		}
		return true
	})
	var imports []string
	for _, spec := range file.Imports[:min(len(file.Imports), mostImports)] {
		from, err := strconv.Unquote(spec.Path.Value)
		if err != nil || !importPath.MatchString(from) {
			continue
		}
		name := path.Base(from)
		if majorPath.MatchString(name) {
			name = path.Base(path.Dir(from))
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if used[name] || used[strings.TrimPrefix(name, "go-")] {
			imports = append(imports, from)
		}
	}
	slices.Sort(imports)
	return slices.Compact(imports)
}

var testHelper = regexp.MustCompile(`(?m)^\s*(?:import\s+)?(?:\w+\s+)?"[^"/\s]+\.[^"/\s]+/(?:[^"\s]*/)?(?:internal/[^"\s]+|internal|[^"/\s]*test|testutils?|testhelpers?)"`)

// NeedsHelpers says that a file of Go imports what users of a module cannot
// import, or should not.
func NeedsHelpers(text string) bool { return testHelper.MatchString(text) }

// Shown says whether the piece has a size that can be shown, as pieces of files
// have to.
func (p Piece) Shown() bool { return p.fits(minFileLines, maxFileLines, 40) }
