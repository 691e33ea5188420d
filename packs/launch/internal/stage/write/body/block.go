package body

import (
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
)

// accepts are the categories whose claims a block prints. A page gets no other
// claims than those that its blocks print. TOPIC prints all.
var accepts = map[string][]Category{
	"INTRO": {Intro}, "FEATURES": {Feature, Format, Trouble}, "FORMATS": {Format}, "INSTALL": {Install}, "REQUIREMENTS": {Requirement},
	"LICENSE": {License}, "QUICKSTART": {Quickstart}, "STEPS": {Workflow}, "WORKFLOWS": {Workflow}, "API": {API}, "CODE": {Code, Method},
	"LIMITATIONS": {Limitation}, "TROUBLE": {Trouble}, "QUESTIONS": {Question},
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
		text = l.intro(page)
	case "FEATURES":
		text = bullets(l.features(page, outline))
	case "FORMATS":
		text = bullets(l.formats(page, outline))
	case "INSTALL":
		text = joined(l.commands(page), bullets(l.Of(page, Install)))
	case "REQUIREMENTS":
		text = l.requirements(page)
	case "DEPENDENCIES":
		text = l.dependencies()
	case "BEFORE", "NEXT":
		text = l.links(page, outline, name)
	case "LINKS":
		text = joined(l.links(page, outline, name), l.repositoryLink())
	case "LIMITATIONS":
		text = bullets(l.Of(page, Limitation))
	case "LIMITS", "TASKS":
		text = l.links(page, outline, name)
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
		text = l.topic(page)
	case "QUESTIONS":
		text = l.questions(page)
	case "LICENSE":
		text = l.license(page)
	case "QUICKSTART":
		text = l.firstSteps(page)
	case "API", "TROUBLE":
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
func (l *Library) intro(page artifact.Page) string {
	var kept []string
	last, whole := "", flat(l.Facts.Positioning.ShortDescription)
	for _, claim := range l.Of(page, Intro) {
		text := l.Named(claim.Text)
		if text == claim.Text {
			text = capital(text)
		}
		if follows := last != "" && strings.Contains(whole, flat(last+" "+claim.Text)); follows || !dangling.MatchString(text) {
			kept, last = append(kept, Inline(text)+" "+Marker(claim.ID)), claim.Text
		}
	}
	return strings.Join(kept, "\n")
}

var itself = regexp.MustCompile(`^(?:This (?:\w+ )?(?:package|library|module|project|repository|repo|tool|crate|gem|program|framework|toolkit)|Package \w+) `)

// Named is a sentence of the introduction with the name of the product in place
// of "this package" and the like, which a page is not.
func (l *Library) Named(text string) string {
	if found := itself.FindString(text); found != "" {
		return l.Facts.ProductName + " " + text[len(found):]
	}
	return text
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

// topic is all that a page about one subject says.
func (l *Library) topic(page artifact.Page) string {
	if about := l.about(page); len(about) == 1 {
		return l.flow(about[0], page)
	}
	return bullets(l.Of(page))
}

// questions are those of the documents with their answers.
func (l *Library) questions(page artifact.Page) string {
	var parts []string
	for _, claim := range l.Of(page, Question) {
		if said := questioned.FindStringSubmatch(claim.Text); said != nil {
			parts = append(parts, "### "+Inline(said[1]), Inline(capital(said[2]))+" "+Marker(claim.ID))
		}
	}
	return strings.Join(parts, "\n\n")
}

// firstSteps are the first steps as the documents have them, and what else is
// said about beginning.
func (l *Library) firstSteps(page artifact.Page) string {
	quick, _ := l.Quick()
	rest := slices.DeleteFunc(l.Of(page, Quickstart), func(c Claim) bool { return slices.Contains(quick.ClaimIDs, c.ID) })
	return joined(l.flow(quick, page), bullets(rest))
}

// requirements are what the documents say, or else what the manifest says, which
// is written one way with its claim and without.
func (l *Library) requirements(page artifact.Page) string {
	var list strings.Builder
	for _, claim := range l.Of(page, Requirement) {
		needed := strings.TrimSuffix(strings.TrimPrefix(claim.Text, "Requires "), ".")
		if slices.Contains(l.Facts.RuntimeRequirements, needed) {
			list.WriteString("- " + Inline(needed) + " " + Marker(claim.ID) + "\n")
		} else {
			list.WriteString(bullets([]Claim{claim}))
		}
	}
	if list.Len() > 0 {
		return list.String()
	}
	for _, needed := range l.Facts.RuntimeRequirements {
		list.WriteString("- " + Inline(needed) + "\n")
	}
	return list.String()
}

// dependencies are the packages that come along. Those of Go are not told apart
// from what only its tests need, and nobody has to know them.
func (l *Library) dependencies() string {
	if len(l.Facts.Distribution) > 0 && l.Facts.Distribution[0].Method == "go" {
		return ""
	}
	return codeList(l.Facts.Dependencies)
}

// license is the name of the license, or else what the documents say.
func (l *Library) license(page artifact.Page) string {
	if name := l.terms(); name != "" {
		return "License: " + name
	}
	return bullets(l.Of(page, License))
}

// terms is the name of the license if it is known.
func (l *Library) terms() string {
	if name := Inline(l.Facts.License); len(strings.Fields(name)) < 4 {
		return name
	}
	return ""
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

// pageSnippets is the code of a page that is in no text, below the names of the
// tasks that it is for.
func (l *Library) pageSnippets(page artifact.Page) string {
	var parts []string
	code := listing{library: l}
	for _, id := range page.SnippetIDs {
		if snippet, ok := l.snippets[id]; ok && Usable(snippet) && !l.inText(id, page) {
			if title := l.taskTitle(id); title != "" && title != page.TokenMappings["SUBJECT"] {
				parts = append(parts, "### "+Inline(title))
			}
			parts = append(parts, code.show(snippet))
		}
	}
	return joined(parts...)
}

// taskTitle is the name of the task that has a snippet, or empty.
func (l *Library) taskTitle(snippet string) string {
	for _, task := range l.Tasks() {
		if slices.ContainsFunc(task.Steps, func(s artifact.WorkflowStep) bool { return s.SnippetID == snippet }) {
			return Plain(task.Title)
		}
	}
	return ""
}
