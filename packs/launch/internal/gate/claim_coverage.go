package gate

import (
	"context"
	"slices"
)

// claimCoverage demands that a page has the claims that it was planned for.
func claimCoverage(_ context.Context, v *View, r *report) {
	for p := range v.plannedPages {
		there := p.claims()
		for _, id := range p.Plan.RequiredClaimIDs {
			if !slices.Contains(there, id) {
				r.add(0, CodeCoverage, p.Path, id, "the page does not have claim %.12s", id).ClaimID = id
			}
		}
	}
}

// claims are the ids of all claims on a page, in order, each once.
func (p sitePage) claims() []string {
	var ids []string
	for _, line := range p.Lines {
		for _, id := range Markers(line.Bare) {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}
