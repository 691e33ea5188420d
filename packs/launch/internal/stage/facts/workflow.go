package facts

import (
	"cmp"
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
	parts   []part // in order
	ordered bool   // the claims are steps of an ordered list
	code    bool
	command string // to type, if there are no claims
}

// A part is a statement, code, or a statement with the code that follows it.
type part struct {
	claim   *candidate // a usable one, or nil
	snippet string     // the id of code that can be shown, or empty
	heading string     // the nearest one
}

// show adds code after what was said last below the same heading.
func (s *section) show(snippet, heading string) {
	if n := len(s.parts); n > 0 && s.parts[n-1].snippet == "" && s.parts[n-1].heading == heading {
		s.parts[n-1].snippet = snippet
		return
	}
	s.parts = append(s.parts, part{snippet: snippet, heading: heading})
}

func (s *section) hasClaims() bool {
	return slices.ContainsFunc(s.parts, func(p part) bool { return p.claim != nil })
}

func (s *section) hasCode() bool {
	return slices.ContainsFunc(s.parts, func(p part) bool { return p.snippet != "" })
}

// mostWorkflows bounds how many things are described. Those of the README come
// first.
const mostWorkflows = 40

// workflows are the things that the documents say how to do.
func (b *builder) workflows() []artifact.Workflow {
	var workflows []artifact.Workflow
	known := map[string]bool{}
	add := func(tag, title string, s section) {
		if tag == "" || known[tag] || len(workflows) == mostWorkflows {
			return
		}
		known[tag] = true
		workflows = append(workflows, b.workflow(tag, title, s))
	}
	sections, byPath := b.sections()
	add(b.installation(sections))
	for _, s := range sections {
		if quickHeading.MatchString(s.heading) && (s.code || s.hasClaims()) {
			add(quickstart, s.heading, s.section)
		}
	}
	for _, s := range sections {
		if !installHeading.MatchString(s.heading) && s.isTask() {
			add(sourcecode.Slug(s.title()), s.title(), s.section)
		}
	}
	for _, s := range b.exampleSections(byPath) {
		add(sourcecode.Slug(s.heading), s.heading, s)
	}
	return workflows
}

// installation gathers what is said below headings about it, or what the
// manifest says.
func (b *builder) installation(sections []titled) (tag, title string, s section) {
	for _, found := range sections {
		if installHeading.MatchString(found.heading) {
			s.parts = append(s.parts, found.parts...)
		}
	}
	s.parts = slices.DeleteFunc(s.parts, func(p part) bool { return p.claim == nil || p.claim.kind != "install" && p.claim.kind != "workflow" })
	if len(s.parts) == 0 {
		for _, c := range b.candidates {
			if c.kind == "install" && b.isUsable(c) {
				s.parts = append(s.parts, part{claim: c})
			}
		}
	}
	slices.SortStableFunc(s.parts, func(a, c part) int { return category(a.claim.text) - category(c.claim.text) })
	s.ordered = true
	if distribution := b.distribution(); len(distribution) > 0 {
		s.command = distribution[0].InstallCommands[0]
	} else if len(s.parts) == 0 {
		return "", "", s
	}
	return installation, "Installation", s
}

// workflow makes steps of the parts of a section. A step of a list is named by
// what it says; what is only a part of a text is named by its heading.
func (b *builder) workflow(tag, title string, s section) artifact.Workflow {
	workflow := artifact.Workflow{Tag: tag, Title: title, SnippetTags: []string{tag}}
	present := map[int]bool{}
	for _, p := range s.parts {
		step := artifact.WorkflowStep{Name: cmp.Or(heading(p.heading), title), SnippetID: p.snippet}
		if p.claim != nil && !slices.Contains(workflow.ClaimIDs, p.claim.id) {
			step.ClaimID = p.claim.id
			workflow.ClaimIDs = append(workflow.ClaimIDs, p.claim.id)
			if s.ordered {
				step.Name = p.claim.text
			}
			present[category(p.claim.text)] = true
		}
		if step.ClaimID != "" || step.SnippetID != "" {
			workflow.Steps = append(workflow.Steps, step)
		}
	}
	if len(workflow.Steps) == 0 {
		workflow.Steps = []artifact.WorkflowStep{{Name: title}}
		if s.command != "" {
			workflow.Steps[0].Name = "Run `" + s.command + "`"
		}
	}
	if len(present) == 0 {
		present[category(title)] = true
	}
	for i := range workflow.Steps {
		workflow.Steps[i].Num, workflow.Steps[i].ID = i+1, fmt.Sprintf("%s-%d", tag, i+1)
	}
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

// A titled section is one of a document.
type titled struct {
	section
	above []string // titles, the nearest first
	quick bool     // part of the first steps
}

var (
	// vagueTitle is a heading that says nothing without the one above it.
	vagueTitle = regexp.MustCompile(`(?i)^(?:(?:basic |simple |more |code )?examples?|overview|introduction|details|notes|options|syntax|output)$`)
	// noTask is a heading below which there is no task, whatever code there is.
	noTask = regexp.MustCompile(`(?i)^(?:licen[cs]e|requirements|prerequisites|dependencies|limitations?|known issues|faq|import|supported \w+|features)$`)
)

// title is the heading, or that above it where the heading says too little.
func (s titled) title() string {
	if vagueTitle.MatchString(s.heading) && len(s.above) > 1 {
		return s.above[0]
	}
	return s.heading
}

// isTask says that a section shows how something is done: with code, or with
// steps below a heading that says what for. The title of a document is no task.
func (s titled) isTask() bool {
	off := func(title string) bool {
		return forWorkers.MatchString(title) || notTheProduct.MatchString(title) || noTask.MatchString(title)
	}
	switch {
	case s.heading == "" || s.quick || off(s.heading) || slices.ContainsFunc(s.above, off) || vagueTitle.MatchString(s.title()):
		return false
	case actionHeading.MatchString(s.heading):
		return s.code || s.ordered
	}
	return s.hasCode() && s.hasClaims() && len(s.above) > 0
}

// sections are those of documents for users, the README's first, and the
// statements of all documents by their paths.
func (b *builder) sections() (sections []titled, byPath map[string][]*candidate) {
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
	byPath = map[string][]*candidate{}
	for _, c := range b.candidates {
		byPath[c.citation.Path] = append(byPath[c.citation.Path], c)
	}
	for _, list := range byPath {
		slices.SortStableFunc(list, func(a, c *candidate) int { return cmp.Compare(a.citation.StartLine, c.citation.StartLine) })
	}
	for _, file := range files {
		for i, top := range file.Headings {
			if scope := b.scopes[file.path]; scope != "" && !isFolderTask(top, scope) {
				continue
			}
			above, quick := titlesAbove(file.Headings, i)
			sections = append(sections, titled{b.section(file, top, sectionEnd(file.Headings, i), byPath[file.path]), above, quick})
		}
	}
	return sections, byPath
}

// isQuick is a heading of first steps within a document. The title of a whole
// document is none.
func isQuick(heading document.Heading) bool {
	return heading.Level > 1 && quickHeading.MatchString(heading.Text)
}

// sectionEnd is the line of the heading after a section. First steps go on below
// the headings within them.
func sectionEnd(headings []document.Heading, at int) int {
	for _, next := range headings[at+1:] {
		if !isQuick(headings[at]) || next.Level <= headings[at].Level {
			return next.Line
		}
	}
	return math.MaxInt
}

// titlesAbove are the titles above a heading, and whether it or one of them is
// about first steps.
func titlesAbove(headings []document.Heading, at int) (titles []string, quick bool) {
	quick = isQuick(headings[at])
	for at = headings[at].Parent; at > 0; at = headings[at-1].Parent {
		titles, quick = append(titles, headings[at-1].Text), quick || isQuick(headings[at-1])
	}
	return titles, quick
}

// section reads what stands between two lines. An ordered list is all that there
// is to a section that has one; otherwise it is its sentences with the code
// between them.
func (b *builder) section(file *documentFile, top document.Heading, end int, candidates []*candidate) section {
	s := section{heading: heading(top.Text)}
	said := b.said(top.Line, end, candidates)
	s.ordered = slices.ContainsFunc(said, func(c *candidate) bool { return c.step })
	said = slices.DeleteFunc(said, func(c *candidate) bool { return s.ordered != c.step })
	hasSecrets := b.hasSecrets(file.path)
	for _, fence := range file.Fences {
		if fence.Start < top.Line || fence.Start >= end {
			continue
		}
		s.code = true
		for len(said) > 0 && said[0].citation.StartLine < fence.Start {
			s.parts, said = append(s.parts, part{claim: said[0], heading: said[0].heading}), said[1:]
		}
		if piece, ok := sourcecode.FromFence(fence); ok && piece.Language != sourcecode.Unknown && !hasSecrets {
			s.show(piece.ID(), fence.Heading)
		}
	}
	for _, c := range said {
		s.parts = append(s.parts, part{claim: c, heading: c.heading})
	}
	return s
}

// heading is a title that pages may have, or empty.
func heading(text string) string {
	title, suspicious := tidy(text)
	if suspicious || len(redact.Find(title)) > 0 || audienceOf(title) == developerInstruction {
		return ""
	}
	return title
}

// said are the usable steps and sentences between two lines. A sentence that
// leans on the one before it is not there without it, unless it leads to code.
func (b *builder) said(start, end int, candidates []*candidate) []*candidate {
	var said []*candidate
	var before *candidate
	at, _ := slices.BinarySearchFunc(candidates, start, func(c *candidate, line int) int { return cmp.Compare(c.citation.StartLine, line) })
	for _, c := range candidates[at:] {
		if c.citation.StartLine >= end {
			break
		}
		if !c.step && !c.sentence {
			continue
		}
		follows := len(said) > 0 && before == said[len(said)-1]
		if before = c; b.isUsable(c) && (follows || c.leads || !leans(c.text)) {
			said = append(said, c)
		}
	}
	return said
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
