package gate

import (
	"slices"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate/page"
)

// A Target is where a link leads, as fixers need to know it.
type Target struct {
	Outside, Found bool
	File           string // a page of the site; empty if it is none
	Anchor         string
}

// Resolve says where a link of a page leads.
func (v *View) Resolve(from, link string) Target {
	to := v.resolve(from, link)
	return Target{to.outside, to.found, to.file, to.anchor}
}

// Uncited says whether a line of a page states something without a claim, so that
// it cannot stand there.
func (v *View) Uncited(file, line string) bool {
	p := sitePage{Path: file, Plan: v.planned[file]}
	return len(Markers(line)) == 0 && !v.exempt(p, line) && v.vocabulary().states(Said(line))
}

// Allowed are the claims that a page may have: those of its plan that are proven
// and not withheld.
func (v *View) Allowed(plan *artifact.Page) []artifact.EvidenceClaim {
	var allowed []artifact.EvidenceClaim
	withheld := v.withheld()
	for _, id := range plan.RequiredClaimIDs {
		if claim, known := v.Claim(id); known && claim.Audience == "user_facing" && v.proven(claim) && !withheld[id] {
			allowed = append(allowed, claim)
		}
	}
	return allowed
}

// Commands are the product's install commands.
func (v *View) Commands() []string { return v.commands() }

// Catalogued are the snippets with this code.
func (v *View) Catalogued(code string) []artifact.Snippet { return v.catalogued(Normal(code)) }

// ClaimsOn are the ids of the claims on a page, in order, each once.
func ClaimsOn(p *page.Page) []string { return sitePage{Page: p}.claims() }

// HasHeading says whether a page has a heading, whatever its letter case.
func HasHeading(p *page.Page, heading string) bool {
	return slices.ContainsFunc(p.Titles, func(t page.Title) bool { return sameHeading(t.Text, heading) })
}
