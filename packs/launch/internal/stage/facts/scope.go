package facts

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/document"
)

// forAll are folders at the root whose documents speak for the whole product.
var forAll = regexp.MustCompile(`(?i)^(?:docs?|documentation|guides?|manual|wiki|website|site|content|book|help|\.[^/]*)(?:/|$)`)

// findScopes notes for which folders documents speak. Without a README at the
// root, those of folders introduce the product.
func (b *builder) findScopes() {
	if b.rootReadme() == nil {
		return
	}
	b.scopes = map[string]string{}
	for _, file := range b.sources.documents {
		if folder := path.Dir(file.path); folder != "." && !forAll.MatchString(folder) {
			b.scopes[file.path] = folder
		}
	}
}

// speaksForFolder says that a block is not about the product: it is about a folder,
// and its heading does not say so.
func (b *builder) speaksForFolder(file documentFile, block document.Block) bool {
	scope := b.scopes[file.path]
	task := len(block.Above) > 0 && namesFolder(block.Heading, scope) && !limits.MatchString(block.Text)
	return scope != "" && !task
}

// namesFolder says whether a heading has the name of a folder.
func namesFolder(heading, folder string) bool {
	name := wordsOf(path.Base(folder))
	return strings.Contains(" "+strings.Join(wordsOf(heading), " ")+" ", " "+strings.Join(name, " ")+" ")
}

// isFolderTask is a heading below which a document of a folder may say how
// something is done: that names the folder and is not about first steps.
func isFolderTask(heading document.Heading, folder string) bool {
	return heading.Parent > 0 && namesFolder(heading.Text, folder) && !quickHeading.MatchString(heading.Text) && !installHeading.MatchString(heading.Text)
}

// shareScope says whether two claims are made about the same thing: the product, or
// one folder.
func (b *builder) shareScope(one, other *claim) bool {
	return slices.ContainsFunc(one.places, func(p *candidate) bool {
		scope := b.scopes[p.citation.Path]
		return slices.ContainsFunc(other.places, func(q *candidate) bool { return b.scopes[q.citation.Path] == scope })
	})
}

// languages are those that products are ported to, and the names that source files
// have for them.
var languages = map[string][]string{
	"python": {"python"}, "rust": {"rust"}, "go": {"go"}, "golang": {"go"}, "java": {"java"}, "php": {"php"}, "c#": {"csharp"}, "javascript": {"javascript", "typescript"},
	"typescript": {"javascript", "typescript"}, "node": {"javascript", "typescript"}, "node.js": {"javascript", "typescript"}, "ruby": {}, "swift": {}, "kotlin": {}, "scala": {},
	"haskell": {}, "elixir": {}, "perl": {}, "lua": {}, "julia": {}, "dart": {}, "c++": {},
}

// ported names the language of a port that something is said of.
var ported = regexp.MustCompile(`(?i)\b(?:the|its|our) (python|rust|go|golang|javascript|java|php|c#|typescript|node(?:\.js)?|ruby|swift|kotlin|scala|haskell|elixir|perl|lua|julia|dart|c\+\+)[- ](?:version|port|implementation|bindings?|edition)\b|\b(?:available|supported|implemented) in (python|rust|go|golang|javascript|java|php|c#|typescript|node(?:\.js)?|ruby|swift|kotlin|scala|haskell|elixir|perl|lua|julia|dart|c\+\+)(?:[\s.,;)*]|$)`)

// isAbroad says that a limit is one of another product: of its port to a language
// that nothing here is written in.
func (b *builder) isAbroad(text string) bool {
	if !limits.MatchString(text) {
		return false
	}
	found := ported.FindStringSubmatch(text)
	if found == nil || len(b.sources.code) == 0 {
		return false
	}
	own := languages[strings.ToLower(found[1]+found[2])]
	return !slices.ContainsFunc(b.sources.code, func(f codeFile) bool { return slices.Contains(own, f.Language) })
}
