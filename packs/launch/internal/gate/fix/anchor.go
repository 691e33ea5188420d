package fix

import (
	"slices"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/gate/page"
	"mcpworks/packs/launch/internal/patch"
)

// Reanchor mends a bundle that does not fit because pages do not have the
// headings that patches name: the nearest heading is taken instead, or else the
// last section of the page (9.3). Ok is false if any conflict is of another kind,
// or if a page has no heading at all; then the conflicts stay open.
//
// Read returns a file of the site as it is without the bundle.
func Reanchor(bundle artifact.PatchBundle, conflicts []artifact.PatchConflict, read func(path string) ([]byte, error)) (mended artifact.PatchBundle, ok bool) {
	mended = bundle
	mended.Patches, mended.TreeHashAfter = slices.Clone(bundle.Patches), ""
	for _, conflict := range conflicts {
		at := slices.IndexFunc(mended.Patches, func(p artifact.Patch) bool { return p.ID == conflict.PatchID })
		if at < 0 || conflict.Reason != patch.AnchorMissing || mended.Patches[at].Type != patch.UpdateByAnchor {
			return bundle, false
		}
		p := &mended.Patches[at]
		content, err := read(p.Path)
		if err != nil {
			return bundle, false
		}
		anchor, found := patch.NearestAnchor(string(content), p.Anchor)
		if !found {
			if anchor, found = lastHeading(content); !found {
				return bundle, false
			}
		}
		p.Anchor = anchor
	}
	return mended, len(conflicts) > 0 && patch.Number(mended.Patches) == nil
}

// lastHeading is the title of the last section of a page, so that what is added
// to it stands at the end.
func lastHeading(content []byte) (string, bool) {
	p, err := page.Read(content)
	if err != nil || len(p.Titles) == 0 {
		return "", false
	}
	last := p.Titles[len(p.Titles)-1]
	first := slices.IndexFunc(p.Titles, func(t page.Title) bool { return t.Text == last.Text })
	return last.Text, gate.HasHeading(p, last.Text) && first == len(p.Titles)-1
}
