package fix_test

import (
	"errors"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate/fix"
	"mcpworks/packs/launch/internal/patch"
)

// 9.3: conflicts about headings are mended, others are not.
func TestReanchor(t *testing.T) {
	text := "- new\n"
	for _, c := range []struct{ name, page, anchor, want string }{
		{"nearest", "## Related Links\n\n- old\n\n## End\n\nx\n", "Related Link", "## Related Links\n\n- old\n- new\n\n## End\n\nx\n"},
		{"last section", "## One\n\n- a\n\n## Two\n\n- b\n", "Something else", "## One\n\n- a\n\n## Two\n\n- b\n- new\n"},
		{"no heading", "words\n", "Something else", ""},
	} {
		tree := site{"a.md": c.page}
		patches := []artifact.Patch{{Type: patch.UpdateByAnchor, Path: "a.md", Anchor: c.anchor, NewContent: &text, Origin: patch.OriginNavigation}}
		bundle, _, err := patch.Seal(tree, "", patches, patch.Rules{})
		var conflict *patch.ConflictError
		if !errors.As(err, &conflict) {
			t.Fatalf("%s: %v", c.name, err)
		}
		mended, ok := fix.Reanchor(bundle, conflict.Conflicts, func(path string) ([]byte, error) { return tree.Read(path, 0) })
		if ok != (c.want != "") {
			t.Errorf("%s: %v", c.name, ok)
		}
		if ok {
			if _, err := patch.Apply(tree, mended, patch.Rules{}); err != nil || strings.TrimSpace(tree["a.md"]) != strings.TrimSpace(c.want) {
				t.Errorf("%s: %v %q", c.name, err, tree["a.md"])
			}
		}
	}
	bundle := artifact.PatchBundle{Patches: []artifact.Patch{{ID: "p_1", Type: patch.CreateFile, Path: "a.md"}}}
	other := []artifact.PatchConflict{{PatchID: "p_1", Path: "a.md", Reason: patch.FileExists}}
	if _, ok := fix.Reanchor(bundle, other, nil); ok {
		t.Error("a conflict with an unknown base was mended")
	}
}
