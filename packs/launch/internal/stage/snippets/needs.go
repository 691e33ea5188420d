package snippets

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/sourcecode"
)

var importing = regexp.MustCompile(`(?m)^\s*(?:import|from|use|using|require|#include)\b.*$|\brequire\(.*\)|^\s+"[^"\n]+"$`)

// platforms are the languages that a way of distribution serves.
var platforms = map[string][]string{
	"pip": {"python"}, "npm": {"javascript", "typescript"}, "go": {"go"}, "cargo": {"rust"}, "dotnet": {"csharp"}, "maven": {"java", "kotlin"}, "composer": {"php"},
}

// needs are the packages that the code imports, of those that the product is or
// depends on; sorted. Code that is a part of a file has its imports elsewhere.
func (c *curator) needs(piece sourcecode.Piece) []string {
	if len(piece.Imports) > 0 {
		return slices.DeleteFunc(slices.Clone(piece.Imports), func(name string) bool { return !c.isOurs(name) })
	}
	imports := strings.ReplaceAll(strings.ToLower(strings.Join(importing.FindAllString(piece.Code, -1), "\n")), "-", "_")
	if imports == "" {
		return nil
	}
	var needs []string
	add := func(name string) {
		last := strings.ReplaceAll(strings.ToLower(name[strings.LastIndexAny(name, "/:")+1:]), "-", "_")
		if last != "" && containsWord(imports, last) {
			needs = append(needs, name)
		}
	}
	for _, distribution := range c.in.Facts.Distribution {
		if slices.Contains(platforms[distribution.Method], piece.Language) {
			add(distribution.Identifier)
		}
	}
	for _, dependency := range c.in.Facts.Dependencies {
		add(dependency)
	}
	slices.Sort(needs)
	return slices.Compact(needs)
}

// isOurs says that a package of Go is one of the product's, or of what it depends
// on.
func (c *curator) isOurs(name string) bool {
	within := func(module string) bool { return name == module || strings.HasPrefix(name, module+"/") }
	return slices.ContainsFunc(c.in.Facts.Distribution, func(d artifact.Distribution) bool { return d.Method == "go" && within(d.Identifier) }) ||
		slices.ContainsFunc(c.in.Facts.Dependencies, within)
}

func containsWord(text, word string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return false
		}
		start, end := from+at, from+at+len(word)
		if (start == 0 || !isNameByte(text[start-1])) && (end == len(text) || !isNameByte(text[end])) {
			return true
		}
		from = start + 1
	}
}

func isNameByte(b byte) bool { return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' }

// generate makes a first program for each entry point that is known: the import
// of a public function, and nothing that could be wrong.
func (c *curator) generate() {
	surface := c.in.Facts.APISurface
	if len(surface.Functions) == 0 {
		return
	}
	function := surface.Functions[0]
	for _, distribution := range c.in.Facts.Distribution {
		var piece sourcecode.Piece
		switch module := strings.ReplaceAll(distribution.Identifier, "-", "_"); {
		case distribution.Method == "pip" && slices.Contains(surface.Modules, module):
			piece = sourcecode.Piece{Language: "python", Code: fmt.Sprintf("from %s import %s\n\nhelp(%s)", module, function, function)}
		case distribution.Method == "npm":
			piece = sourcecode.Piece{Language: "javascript", Code: fmt.Sprintf("import { %s } from %q;\n\nconsole.log(%s);", function, distribution.Identifier, function)}
		default:
			continue
		}
		piece.Name = function
		c.add(piece, "", generated, "quickstart")
	}
}
