package body

import (
	"fmt"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
)

// accepts are the categories whose claims a block prints. A page gets no other
// claims than those that its blocks print. TOPIC prints all.
var accepts = map[string][]Category{
	"INTRO": {Intro}, "FEATURES": {Feature, Format, Trouble}, "FORMATS": {Format}, "INSTALL": {Install}, "REQUIREMENTS": {Requirement},
	"LICENSE": {License}, "QUICKSTART": {Quickstart}, "STEPS": {Workflow}, "WORKFLOWS": {Workflow}, "API": {API}, "CODE": {Code},
	"LIMITATIONS": {Limitation}, "TROUBLE": {Trouble},
}

// Accepts are the categories whose claims a block prints.
func Accepts(block string) []Category { return accepts[block] }

// An Outline says which blocks a page has.
type Outline interface{ Has(block string) bool }

// Block makes a block of a page; it is empty if there is nothing to say. Known
// is false for a name that no block has.
func (l *Library) Block(name string, page artifact.Page, outline Outline) (text string, known bool) {
	switch name {
	case "INTRO":
		text = lines(l.intro(page))
	case "FEATURES":
		text = bullets(l.features(page, outline))
	case "FORMATS":
		text = bullets(l.formats(page, outline))
	case "INSTALL":
		text = joined(l.commands(), bullets(l.Of(page, Install)))
	case "REQUIREMENTS":
		text = l.requirements(page)
	case "DEPENDENCIES":
		text = codeList(l.Facts.Dependencies)
	case "BEFORE", "NEXT":
		text = l.links(page, outline, name)
	case "LINKS":
		text = joined(l.links(page, outline, name), l.repositoryLink())
	case "LIMITATIONS":
		text = joined(bullets(l.Of(page, Limitation)), l.links(page, outline, name))
	case "CHILDREN":
		text = children(page)
	case "SNIPPETS":
		text = l.pageSnippets(page)
	case "WORKFLOWS":
		text = l.workflows(page)
	case "STEPS":
		text = bullets(l.otherSteps(page, outline))
	case "SYMBOLS":
		text = l.symbols(page)
	case "CODE":
		text = l.code(page)
	case "TOPIC":
		text = bullets(l.Of(page))
	case "LICENSE":
		text = l.license(page)
	case "QUICKSTART", "API", "TROUBLE":
		text = bullets(l.Of(page, accepts[name]...))
	default:
		return "", false
	}
	return strings.Trim(text, "\n"), true
}

// joined puts parts of a block below each other. Lists are one list.
func joined(parts ...string) string {
	var text string
	for _, part := range parts {
		switch part = strings.Trim(part, "\n"); {
		case part == "":
		case text == "":
			text = part
		case strings.HasPrefix(lastLine(text), "- ") && strings.HasPrefix(part, "- "):
			text += "\n" + part
		default:
			text += "\n\n" + part
		}
	}
	return text
}

func lastLine(text string) string { return text[strings.LastIndex(text, "\n")+1:] }

// intro is the introduction from its beginning: a sentence that leans on one
// that is missing is left out.
func (l *Library) intro(page artifact.Page) []Claim {
	var kept []Claim
	for _, claim := range l.Of(page, Intro) {
		if len(kept) > 0 || !dangling.MatchString(claim.Text) {
			kept = append(kept, claim)
		}
	}
	return kept
}

// features are those claims that no block for something special prints.
func (l *Library) features(page artifact.Page, outline Outline) []Claim {
	return slices.DeleteFunc(l.Of(page, accepts["FEATURES"]...), func(c Claim) bool {
		return c.Category == Trouble && outline.Has("TROUBLE") || c.Category == Format && outline.Has("FORMATS") && l.forFormats(c, page)
	})
}

func (l *Library) formats(page artifact.Page, outline Outline) []Claim {
	return slices.DeleteFunc(l.Of(page, Format), func(c Claim) bool { return outline.Has("FEATURES") && !l.forFormats(c, page) })
}

// forFormats says that a claim belongs to the list of formats: a row of a table,
// or any claim about a format where the page is not led by its features.
func (l *Library) forFormats(claim Claim, page artifact.Page) bool {
	return row.MatchString(claim.Text) || page.Section != "products" && page.Section != "blog"
}

// requirements are what the documents say, or else what the manifest says.
func (l *Library) requirements(page artifact.Page) string {
	if said := bullets(l.Of(page, Requirement)); said != "" {
		return said
	}
	return codeList(l.Facts.RuntimeRequirements)
}

// license is what the documents say, or else the name of the license.
func (l *Library) license(page artifact.Page) string {
	if said := bullets(l.Of(page, License)); said != "" {
		return said
	}
	if name := Inline(l.Facts.License); name != "" && len(strings.Fields(name)) < 4 && len(l.ofCategory(License)) == 0 {
		return "License: " + name
	}
	return ""
}

func (l *Library) ofCategory(category Category) []Claim {
	return slices.DeleteFunc(slices.Clone(l.claims), func(c Claim) bool { return c.Category != category })
}

// codeList is a list of names.
func codeList(names []string) string {
	var list strings.Builder
	for _, name := range names {
		if name = inCode("`" + strings.Join(strings.Fields(strings.ReplaceAll(name, "`", "")), " ") + "`"); name != "" {
			list.WriteString("- " + name + "\n")
		}
	}
	return list.String()
}

func (l *Library) pageSnippets(page artifact.Page) string {
	var parts []string
	for _, id := range page.SnippetIDs {
		if snippet, ok := l.snippets[id]; ok && Usable(snippet) {
			parts = append(parts, l.shown(snippet))
		}
	}
	return joined(parts...)
}

// code are claims from source files, under the files they stand in.
func (l *Library) code(page artifact.Page) string {
	var text strings.Builder
	file := ""
	for _, claim := range l.Of(page, Code) {
		if claim.Path != file {
			file = claim.Path
			fmt.Fprintf(&text, "\n### %s\n\n", inCode("`"+strings.ReplaceAll(file, "`", "")+"`"))
		}
		fmt.Fprintf(&text, "- %s\n", claim.Statement())
	}
	return text.String()
}

// fewSymbols is how many names a page of the tier minimal has at most.
const fewSymbols = 10

// symbols lists the public names. In the tier minimal there are only some of
// them, and none where the page has something to say about them.
func (l *Library) symbols(page artifact.Page) string {
	surface, few := l.Facts.APISurface, page.TemplateVariant == "minimal"
	if few && len(l.Of(page, API, Code)) > 0 {
		return ""
	}
	var text strings.Builder
	for _, kind := range []struct {
		title string
		names []string
	}{{"Classes and types", surface.Classes}, {"Functions", surface.Functions}, {"Modules", surface.Modules}} {
		names := kind.names
		if few {
			names = names[:min(len(names)/2, fewSymbols)]
		}
		if list := codeList(names); list != "" {
			fmt.Fprintf(&text, "### %s\n\n%s\n", kind.title, list)
		}
	}
	return text.String()
}
