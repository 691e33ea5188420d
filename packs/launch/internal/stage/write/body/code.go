package body

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
)

// Usable says whether pages may show a snippet: one that is not known to be
// wrong, in a language that is known.
func Usable(snippet artifact.Snippet) bool {
	return snippet.Language != "" && snippet.Language != "unknown" && (snippet.Validation.SyntaxOK == nil || *snippet.Validation.SyntaxOK) &&
		strings.TrimSpace(snippet.Code) != ""
}

// A listing shows code below one heading. Where it is from is said once for pieces
// in a row that are of one file.
type listing struct {
	library *Library
	last    string // the file of the last one, and what it imports
}

// show is a snippet with the line that says where it is from, unless the one
// before it says that.
func (s *listing) show(snippet artifact.Snippet) string {
	text := fenced(snippet.Language, snippet.Code)
	this := strings.Join(append([]string{snippet.Source.Path}, imports(snippet)...), " ")
	if source := s.library.sourceLine(snippet); source != "" && this != s.last {
		text += "\n" + source + "\n"
	}
	s.last = this
	return text
}

// imports are the packages that code of Go needs and does not name itself.
func imports(snippet artifact.Snippet) []string {
	if snippet.Language != "go" || importing.MatchString(snippet.Code) {
		return nil
	}
	return snippet.Requirements.Dependencies
}

var importing = regexp.MustCompile(`(?m)^import\b`)

// shortSHA is how many digits name a commit to a reader.
const shortSHA = 12

var language = regexp.MustCompile(`^[A-Za-z0-9+#._-]{1,30}$`)

// fenced is code in a fence that the code cannot close.
func fenced(lang, code string) string {
	if !language.MatchString(lang) {
		lang = "text"
	}
	fence := "```"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	return fence + lang + "\n" + strings.TrimRight(code, "\n") + "\n" + fence + "\n"
}

// sourceLine says where a snippet is from: a link to its lines, or only the path
// and the commit if the repository cannot be linked to (18.4); and what it imports
// where the code does not say it.
func (l *Library) sourceLine(snippet artifact.Snippet) string {
	source, needs := snippet.Source, ""
	if source.Type != "repo_file" || source.Path == "" {
		return ""
	}
	name := Inline(strings.ReplaceAll(source.Path, "`", ""))
	if packages := imports(snippet); len(packages) > 0 {
		needs = "; imports `" + strings.Join(packages, "`, `") + "`"
	}
	repo := l.repository()
	if repo == "" {
		return fmt.Sprintf("Source: %s at %s%s", name, l.Facts.RepoSHA[:min(len(l.Facts.RepoSHA), shortSHA)], needs)
	}
	var parts []string
	for _, part := range strings.Split(source.Path, "/") {
		parts = append(parts, strings.NewReplacer("(", "%28", ")", "%29").Replace(url.PathEscape(part)))
	}
	place := repo + "/blob/" + l.Facts.RepoSHA + "/" + strings.Join(parts, "/")
	if source.StartLine > 0 && source.EndLine >= source.StartLine {
		place += fmt.Sprintf("#L%d-L%d", source.StartLine, source.EndLine)
	}
	return fmt.Sprintf("Source: [%s](%s)%s", name, place, needs)
}

// repository is the address of the product's repository for readers, or empty.
func (l *Library) repository() string {
	address := strings.TrimSuffix(strings.TrimSuffix(l.Facts.RepoURL, "/"), ".git")
	parsed, err := url.Parse(address)
	if err != nil || parsed.Scheme != "https" || parsed.Host == "" || strings.ContainsAny(address, " ()<>`[]|\"'{}") {
		return ""
	}
	return address
}

// shells are the ways to get a product whose commands are typed into a terminal.
var shells = []string{"pip", "npm", "go", "cargo", "dotnet", "composer", "gem", "brew"}

// commands are the product's install commands, each in a fence of its own; with
// several ways to get it, each has its name. What a product comes with beside what
// it is has its place on the page about installing it.
func (l *Library) commands(page artifact.Page) string {
	var text strings.Builder
	ways := slices.DeleteFunc(slices.Clone(l.Facts.Distribution), func(d artifact.Distribution) bool { return len(d.InstallCommands) == 0 })
	for _, way := range ways {
		if len(ways) > 1 {
			fmt.Fprintf(&text, "### %s\n\n", Inline(way.Method))
		}
		lang := "text"
		if slices.Contains(shells, way.Method) {
			lang = "bash"
		}
		for i, command := range way.InstallCommands {
			if i > 0 && page.Slug != installation {
				break
			}
			if i > 0 && len(ways) == 1 && isProgram(command) != isProgram(way.InstallCommands[i-1]) {
				text.WriteString(kindOfInstall[isProgram(command)] + "\n\n")
			}
			text.WriteString(fenced(lang, command) + "\n")
		}
	}
	return strings.TrimRight(text.String(), "\n")
}

// kindOfInstall is said before the commands of another kind.
var kindOfInstall = map[bool]string{true: "Command-line tools:", false: "As a library:"}

// isProgram says that a command installs a program of Go.
func isProgram(command string) bool { return strings.HasPrefix(command, "go install ") }
