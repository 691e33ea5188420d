package fix

import (
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/gate/page"
	"mcpworks/packs/launch/internal/stage/write/body"
)

// sure is how many of its words a line has to share with a claim to be taken for
// it.
const sure = 0.8

// statement gives a line the claim of the page that it states, or takes away what
// has none.
func statement(w *work) error {
	var gone []int
	for n, line := range w.page.Lines {
		if !line.New || line.Kind == page.Code || line.Kind == page.Front || line.Kind == page.Blank || !w.concerns(line) {
			continue
		}
		if text := w.restated(line); text != "" {
			w.lines[n] = text
		} else {
			gone = append(gone, n)
		}
	}
	if len(gone) > 0 {
		w.drop(gone...)
	}
	return nil
}

// concerns says whether the issue is about a line.
func (w *work) concerns(line page.Line) bool {
	if w.issue.Code == gate.CodeUncited {
		return w.about(gate.Said(line.Text))
	}
	ids := gate.Markers(line.Bare)
	return slices.ContainsFunc(ids, w.about) || w.about(strings.Join(ids, " ")) || slices.ContainsFunc(gate.OddMarkers(line.Bare), w.about)
}

var (
	prefix   = regexp.MustCompile(`^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)?`)
	sentence = regexp.MustCompile(`[^.!?]+(?:[.!?]+(?:\s+|$)|$)`)
)

// restated is a line with a claim that holds, or empty if nothing of it does.
func (w *work) restated(line page.Line) string {
	bare := gate.OddMarker.ReplaceAllString(line.Text, "")
	if gate.Marker.MatchString(bare) || w.plan == nil {
		bare = gate.Marker.ReplaceAllString(bare, "")
	}
	bare = strings.TrimRight(bare, " \t")
	if w.plan == nil || w.issue.Code == gate.CodeEvidence || w.issue.Code == gate.CodeContradicted {
		return ""
	}
	if claim, found := w.meant(gate.Said(bare)); found {
		return bare + " " + body.Marker(claim.ID)
	}
	start := prefix.FindString(bare)
	for _, part := range sentence.FindAllString(bare[len(start):], -1) {
		if claim, found := w.meant(gate.Said(part)); found {
			return start + strings.TrimSpace(part) + " " + body.Marker(claim.ID)
		}
	}
	if claim, found := w.named(line); found {
		return start + claim.Statement()
	}
	if !w.view.Uncited(w.file, bare) && strings.TrimSpace(gate.Said(bare)) != "" && w.issue.Code == gate.CodeInvalidClaim {
		return bare // it needs no marker
	}
	return ""
}

// named is the claim of the page's plan that a line names without saying it, and
// that is not stated elsewhere on the page.
func (w *work) named(line page.Line) (body.Claim, bool) {
	for _, id := range gate.Markers(line.Bare) {
		allowed := slices.ContainsFunc(w.view.Allowed(w.plan), func(c artifact.EvidenceClaim) bool { return c.ID == id })
		if claim, known := w.library().Claim(id); known && allowed && !w.elsewhere(id) {
			return claim, true
		}
	}
	return body.Claim{}, false
}

// meant is the claim of the page's plan that a text states, and that is not
// stated elsewhere on the page.
func (w *work) meant(said string) (artifact.EvidenceClaim, bool) {
	var best artifact.EvidenceClaim
	share := 0.0
	for _, claim := range w.view.Allowed(w.plan) {
		if overlap := min(gate.Overlap(said, claim.Text), gate.Overlap(claim.Text, said)); overlap >= sure && overlap > share && !gate.Turned(said, claim.Text) && !w.elsewhere(claim.ID) {
			best, share = claim, overlap
		}
	}
	return best, share > 0
}

// elsewhere says whether a line that the issue is not about has a claim.
func (w *work) elsewhere(id string) bool {
	return slices.ContainsFunc(w.page.Lines, func(line page.Line) bool {
		return slices.Contains(gate.Markers(line.Bare), id) && !w.concerns(line)
	})
}
