package facts

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/document"
	"mcpworks/packs/launch/internal/redact"
	"mcpworks/packs/launch/internal/sourcecode"
)

// The workflows that every product may have.
const (
	installation = "installation"
	quickstart   = "quickstart"
)

// categories are the kinds of steps in the order in which they are done, with
// the minutes that each takes (6.2(9)).
var categories = []struct {
	expr    *regexp.Regexp
	minutes int
}{
	{regexp.MustCompile(`(?i)\binstall`), 5},
	{regexp.MustCompile(`(?i)\b(?:set ?up|create|initiali[sz]e|prepare)\b`), 10},
	{regexp.MustCompile(`(?i)\b(?:configur|options?\b|settings?\b)`), 10},
	{nil, 15}, // basic
	{regexp.MustCompile(`(?i)\b(?:advanced|custom|optimi[sz]|performance|extend|stream)`), 20},
}

// category is the index of the kind of step that a text is.
func category(text string) int {
	for i, c := range categories {
		if c.expr != nil && c.expr.MatchString(text) {
			return i
		}
	}
	return 3
}

// A section is what stands below one heading.
type section struct {
	heading string
	claims  []*candidate // usable ones, in order
	ordered bool         // the claims are steps of an ordered list
	snippet string       // the id of the first code that can be shown
	code    bool
	command string // to type, if there are no claims
}

// workflows are the things that the documents say how to do.
func (b *builder) workflows() []artifact.Workflow {
	var workflows []artifact.Workflow
	known := map[string]bool{}
	add := func(tag, title string, s section) {
		if tag == "" || known[tag] {
			return
		}
		known[tag] = true
		workflows = append(workflows, b.workflow(tag, title, s))
	}
	sections := b.sections()
	add(b.installation(sections))
	for _, s := range sections {
		if quickHeading.MatchString(s.heading) && (s.code || len(s.claims) > 0) {
			add(quickstart, s.heading, s)
		}
	}
	for _, s := range sections {
		isAction := actionHeading.MatchString(s.heading) && !quickHeading.MatchString(s.heading) && !installHeading.MatchString(s.heading)
		if isAction && (s.code || s.ordered) {
			add(sourcecode.Slug(s.heading), s.heading, s)
		}
	}
	return workflows
}

// installation gathers what is said below headings about it, or what the
// manifest says.
func (b *builder) installation(sections []section) (tag, title string, s section) {
	for _, found := range sections {
		if installHeading.MatchString(found.heading) {
			s.claims = append(s.claims, found.claims...)
			if s.snippet == "" {
				s.snippet = found.snippet
			}
		}
	}
	s.claims = slices.DeleteFunc(s.claims, func(c *candidate) bool { return c.kind != "install" && c.kind != "workflow" })
	if len(s.claims) == 0 {
		s.claims = slices.DeleteFunc(slices.Clone(b.candidates), func(c *candidate) bool { return c.kind != "install" || !b.isUsable(c) })
	}
	if distribution := b.distribution(); len(distribution) > 0 {
		s.command = distribution[0].InstallCommands[0]
	} else if len(s.claims) == 0 {
		return "", "", s
	}
	return installation, "Installation", s
}

func (b *builder) workflow(tag, title string, s section) artifact.Workflow {
	workflow := artifact.Workflow{Tag: tag, Title: title, SnippetTags: []string{tag}}
	steps := slices.Clone(s.claims)
	if !s.ordered {
		slices.SortStableFunc(steps, func(a, c *candidate) int { return category(a.text) - category(c.text) })
	}
	present := map[int]bool{}
	for _, c := range steps {
		if slices.Contains(workflow.ClaimIDs, c.id) {
			continue
		}
		workflow.ClaimIDs = append(workflow.ClaimIDs, c.id)
		workflow.Steps = append(workflow.Steps, artifact.WorkflowStep{Name: c.text, ClaimID: c.id})
		present[category(c.text)] = true
	}
	if len(workflow.Steps) == 0 {
		workflow.Steps = []artifact.WorkflowStep{{Name: title}}
		if s.command != "" {
			workflow.Steps[0].Name = "Run `" + s.command + "`"
		}
		present[category(title)] = true
	}
	for i := range workflow.Steps {
		workflow.Steps[i].Num, workflow.Steps[i].ID = i+1, fmt.Sprintf("%s-%d", tag, i+1)
	}
	workflow.Steps[len(workflow.Steps)-1].SnippetID = s.snippet
	switch n := len(workflow.Steps); {
	case n <= 2:
		workflow.Complexity = "simple"
	case n <= 5:
		workflow.Complexity = "moderate"
	default:
		workflow.Complexity = "complex"
	}
	workflow.EstimatedMinutes = 5 * len(workflow.ClaimIDs)
	for i := range categories {
		if present[i] {
			workflow.EstimatedMinutes += categories[i].minutes
		}
	}
	return workflow
}

// sections are those of documents for users: the README's first.
func (b *builder) sections() []section {
	var files []*documentFile
	readme := b.rootReadme()
	if readme != nil {
		files = append(files, readme)
	}
	for i := range b.sources.documents {
		if file := &b.sources.documents[i]; file != readme && file.origin.audience == "" && file.origin.priority != fromNotes {
			files = append(files, file)
		}
	}
	byPath := map[string][]*candidate{}
	for _, c := range b.candidates {
		byPath[c.citation.Path] = append(byPath[c.citation.Path], c)
	}
	var sections []section
	for _, file := range files {
		for i, heading := range file.Headings {
			end := math.MaxInt
			if i+1 < len(file.Headings) {
				end = file.Headings[i+1].Line
			}
			sections = append(sections, b.section(file, heading, end, byPath[file.path]))
		}
	}
	return sections
}

func (b *builder) section(file *documentFile, heading document.Heading, end int, candidates []*candidate) section {
	title, _ := tidy(heading.Text)
	s := section{heading: title}
	if len(redact.Find(title)) > 0 || audienceOf(title) != userFacing {
		s.heading = ""
	}
	var steps []*candidate
	for _, c := range candidates {
		if c.citation.StartLine < heading.Line || c.citation.StartLine >= end || c.row || !b.isUsable(c) {
			continue
		}
		s.claims = append(s.claims, c)
		if c.step {
			steps = append(steps, c)
		}
	}
	if len(steps) > 0 {
		s.claims, s.ordered = steps, true
	}
	hasSecrets := b.hasSecrets(file.path)
	for _, fence := range file.Fences {
		if fence.Start < heading.Line || fence.Start >= end {
			continue
		}
		s.code = true
		if piece, ok := sourcecode.FromFence(fence); ok && s.snippet == "" && !hasSecrets {
			s.snippet = piece.ID()
		}
	}
	return s
}

// isUsable says whether the claim that a candidate became may be on pages.
func (b *builder) isUsable(c *candidate) bool {
	merged := b.byID[c.id]
	return merged != nil && b.isKept(merged) && !merged.lost && merged.audience == userFacing && !merged.planned
}

func (b *builder) hasSecrets(path string) bool {
	if b.secrets == nil {
		b.secrets = map[string]bool{}
	}
	found, known := b.secrets[path]
	if !known {
		found = len(redact.Find(b.sources.text[path])) > 0
		b.secrets[path] = found
	}
	return found
}

// examples are the files of example folders that can be shown.
func (b *builder) examples() []artifact.Example {
	var examples []artifact.Example
	for _, file := range b.sources.examples {
		if len(file.pieces) == 0 {
			continue
		}
		name := strings.TrimSuffix(file.path[strings.LastIndex(file.path, "/")+1:], "."+file.path[strings.LastIndex(file.path, ".")+1:])
		words := strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == ' ' || r == '.' }), " ")
		if words == "" {
			continue
		}
		examples = append(examples, artifact.Example{
			ID: sourcecode.Slug(file.path), Title: strings.ToUpper(words[:1]) + words[1:], Path: file.path,
			Tags: sourcecode.Tags(file.path), PrimarySnippetID: file.pieces[0].ID(),
		})
	}
	return examples
}
