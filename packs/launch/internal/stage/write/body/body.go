// Package body makes what stands under the headings of a page, out of evidence
// and nothing else: claims with their markers, code with its source, commands of
// the product's manifest, and links (6.5).
//
// The planner uses it to know which headings of a page will have something below
// them, and the writer to write it, so that both always agree.
package body

import (
	"cmp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/redact"
)

// A Category says under which headings a claim belongs.
type Category string

// The categories.
const (
	Intro       Category = "intro" // a sentence of the product's own introduction
	Feature     Category = "feature"
	Format      Category = "format"
	Install     Category = "install"
	Requirement Category = "requirement"
	License     Category = "license"
	Quickstart  Category = "quickstart"
	Workflow    Category = "workflow"
	API         Category = "api"
	Code        Category = "code"     // said in source code, next to a name that the claim does not repeat
	Method      Category = "method"   // said in source code about a method of a type
	Question    Category = "question" // a question of the documents with its answer
	Limitation  Category = "limitation"
	Trouble     Category = "trouble" // about errors and how they are reported
)

// A Claim is one that pages may use.
type Claim struct {
	artifact.Claim
	Category Category
	Path     string // of its best citation
	Line     int
	Priority int
	lastLine int
	position int // in the introduction, for its sentences
}

// A Library is everything that pages are made of.
type Library struct {
	Facts    artifact.ProductFacts
	claims   []Claim // in the order of reading
	groups   groups
	byID     map[string]Claim
	snippets map[string]artifact.Snippet
}

// NewLibrary sorts the evidence out. Claims that must not be on a page are not in
// it: those for other readers, inferences unless they are allowed, both sides of
// an open contradiction and the loser of a settled one, secrets, and what is no
// statement that can stand alone.
func NewLibrary(facts artifact.ProductFacts, evidence artifact.EvidenceMap, catalog artifact.SnippetCatalog, allowInference bool) *Library {
	l := &Library{Facts: facts, groups: groupsOf(facts), byID: map[string]Claim{}, snippets: map[string]artifact.Snippet{}}
	for _, snippet := range catalog.Snippets {
		l.snippets[snippet.ID] = snippet
	}
	known := map[string]artifact.EvidenceClaim{}
	for _, claim := range evidence.Claims {
		known[claim.ID] = claim
	}
	withheld := Withheld(evidence)
	secrets := redact.New(redact.Rules{})
	pending := map[string]Claim{} // see complete
	for _, claim := range facts.Claims {
		source, ok := known[claim.ID]
		if !ok || len(source.Citations) == 0 || withheld[claim.ID] || claim.Audience != "user_facing" || claim.TruthStatus != "fact" && !allowInference {
			continue
		}
		cited := source.Citations[0]
		usable := Claim{Claim: claim, Path: cited.Path, Line: cited.StartLine, lastLine: cited.EndLine, Priority: source.SourcePriority}
		usable.position = strings.Index(flat(facts.Positioning.ShortDescription), flat(claim.Text))
		usable.Category = l.categoryOf(claim, cited)
		switch {
		case usable.Category == "" || usable.Category == License && l.terms() != "" || secrets.Text(claim.Text) != claim.Text:
		case speaks(usable):
			l.claims = append(l.claims, usable)
		case inFlow(usable):
			pending[claim.ID] = usable
		}
	}
	l.complete(pending)
	slices.SortStableFunc(l.claims, inOrder)
	l.dropRepeated()
	for _, claim := range l.claims {
		l.byID[claim.ID] = claim
	}
	return l
}

// dropRepeated leaves out claims that say again what an earlier one says in
// the same words, and requirements of a manifest that a document explains.
func (l *Library) dropRepeated() {
	explained := slices.ContainsFunc(l.claims, func(c Claim) bool { return c.Category == Requirement && c.Priority > 1 })
	said := map[string]bool{}
	l.claims = slices.DeleteFunc(l.claims, func(c Claim) bool {
		words := strings.Join(Words(c.Text), " ")
		again := said[words] || c.Category == Requirement && c.Priority == 1 && explained
		said[words] = true
		return again
	})
}

// Withheld are the claims that no page may have, because others contradict them.
func Withheld(evidence artifact.EvidenceMap) map[string]bool {
	withheld := map[string]bool{}
	for _, c := range evidence.Contradictions {
		for _, id := range []string{c.ClaimA, c.ClaimB} {
			withheld[id] = withheld[id] || c.Resolution == "unresolved" || c.WinningClaimID != id
		}
	}
	return withheld
}

// inOrder is the order of reading: the README, then other documents, then the
// rest, each from top to bottom. Source files near the root come first.
func inOrder(a, b Claim) int {
	rank := func(c Claim) int {
		switch {
		case c.InReadme():
			return 0
		case c.Category != Code && c.Category != Method:
			return 1
		}
		return 2
	}
	depth := func(c Claim) int {
		if c.Category == Code || c.Category == Method {
			return strings.Count(c.Path, "/")
		}
		return 0
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(depth(a), depth(b)), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.lastLine, b.lastLine), cmp.Compare(a.position, b.position), cmp.Compare(a.ID, b.ID))
}

// InReadme says that a claim is in the first document that people read.
func (c Claim) InReadme() bool { return strings.HasPrefix(strings.ToUpper(c.Path), "README") }

// Claims are all usable ones, in the order of reading.
func (l *Library) Claims() []Claim { return l.claims }

// Claim returns a usable claim.
func (l *Library) Claim(id string) (Claim, bool) {
	claim, ok := l.byID[id]
	return claim, ok
}

// Snippet returns a snippet of the catalogue.
func (l *Library) Snippet(id string) (artifact.Snippet, bool) {
	snippet, ok := l.snippets[id]
	return snippet, ok
}

// Of are the claims of a page in some categories, in the order of reading; none
// named means all.
func (l *Library) Of(page artifact.Page, categories ...Category) []Claim {
	var found []Claim
	for _, id := range page.RequiredClaimIDs {
		if claim, ok := l.byID[id]; ok && (len(categories) == 0 || slices.Contains(categories, claim.Category)) {
			found = append(found, claim)
		}
	}
	slices.SortStableFunc(found, inOrder)
	return found
}
