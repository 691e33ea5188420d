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

// shown is a snippet with the line that says where it is from.
func (l *Library) shown(snippet artifact.Snippet) string {
	text := fenced(snippet.Language, snippet.Code)
	if source := l.sourceLine(snippet.Source); source != "" {
		text += "\n" + source + "\n"
	}
	return text
}

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
// and the commit if the repository cannot be linked to (18.4).
func (l *Library) sourceLine(source artifact.SnippetSource) string {
	if source.Type != "repo_file" || source.Path == "" {
		return ""
	}
	name := Inline(strings.ReplaceAll(source.Path, "`", ""))
	repo := l.repository()
	if repo == "" {
		return fmt.Sprintf("Source: %s at %s", name, l.Facts.RepoSHA)
	}
	var parts []string
	for _, part := range strings.Split(source.Path, "/") {
		parts = append(parts, strings.NewReplacer("(", "%28", ")", "%29").Replace(url.PathEscape(part)))
	}
	place := repo + "/blob/" + l.Facts.RepoSHA + "/" + strings.Join(parts, "/")
	if source.StartLine > 0 && source.EndLine >= source.StartLine {
		place += fmt.Sprintf("#L%d-L%d", source.StartLine, source.EndLine)
	}
	return fmt.Sprintf("Source: [%s](%s)", name, place)
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
// several ways to get it, each has its name.
func (l *Library) commands() string {
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
		for _, command := range way.InstallCommands {
			text.WriteString(fenced(lang, command) + "\n")
		}
	}
	return strings.TrimRight(text.String(), "\n")
}
