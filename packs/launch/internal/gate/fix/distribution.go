package fix

import (
	"fmt"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/stage/write/body"
)

// contentsCode takes all code out of a table of contents.
func contentsCode(w *work) error {
	w.dropFence(w.page.Fences...)
	return nil
}

// contentsChildren adds an entry to a table of contents.
func contentsChildren(w *work) error {
	if w.plan == nil {
		return ErrUnfixable
	}
	for _, child := range w.plan.Strategy.ChildPages {
		if !w.about(child.URL) {
			continue
		}
		entry := fmt.Sprintf("- [%s](%s) - %s", body.Inline(child.Title), child.URL, body.Inline(child.Purpose))
		if len(w.page.Titles) == 0 {
			w.insert(len(w.lines), entry)
			return nil
		}
		w.addToSection(w.page.Titles[0].Line-1, entry)
		return nil
	}
	return ErrUnfixable
}

// forbiddenTopic takes a section away.
func forbiddenTopic(w *work) error {
	for _, title := range w.page.Titles {
		if !w.about(title.Text) {
			continue
		}
		var gone []int
		for n := title.Line - 1; n < w.sectionEnd(title.Line-1); n++ {
			gone = append(gone, n)
		}
		w.drop(gone...)
		return nil
	}
	return ErrUnfixable
}

// quota takes claims away until the page has as many as it may: first those that
// are not planned, then the last ones of the plan.
func quota(w *work) error {
	if w.plan == nil {
		return ErrUnfixable
	}
	there := gate.ClaimsOn(w.page)
	rank := func(id string) int {
		if at := slices.Index(w.plan.RequiredClaimIDs, id); at >= 0 {
			return at
		}
		return len(w.plan.RequiredClaimIDs)
	}
	ranked := slices.Clone(there)
	slices.SortStableFunc(ranked, func(a, b string) int { return rank(a) - rank(b) })
	most := w.plan.Strategy.ClaimQuota.Max
	if most < 0 || most >= len(ranked) {
		return ErrUnfixable
	}
	var gone []int
	for n, line := range w.page.Lines {
		if slices.ContainsFunc(gate.Markers(line.Bare), func(id string) bool { return slices.Contains(ranked[most:], id) }) && strings.TrimSpace(line.Text) != "" {
			gone = append(gone, n)
		}
	}
	w.drop(gone...)
	return nil
}
