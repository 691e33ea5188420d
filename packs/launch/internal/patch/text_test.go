package patch

import (
	"testing"

	"mcpworks/packs/launch/internal/artifact"
)

// A file keeps its own line ends: what is added gets those, and what stays is not
// touched.
func TestLineEnds(t *testing.T) {
	added := artifact.Patch{Type: UpdateByAnchor, Path: "content/a.md", Anchor: "A", NewContent: text("new\n")}
	for name, c := range map[string]struct{ before, after string }{
		"unix":          {"# A\n\nold\n", "# A\n\nold\n\nnew\n"},
		"dos":           {"# A\r\n\r\nold\r\n", "# A\r\n\r\nold\r\n\r\nnew\r\n"},
		"dos, no end":   {"# A\r\n\r\nold", "# A\r\n\r\nold\r\n\r\nnew\r\n"},
		"mostly dos":    {"# A\r\n\r\nold\nolder\r\n", "# A\r\n\r\nold\nolder\r\n\r\nnew\r\n"},
		"mostly unix":   {"# A\n\nold\r\nolder\n", "# A\n\nold\r\nolder\n\nnew\n"},
		"old machines":  {"# A\r\rold\r", "# A\r\rold\r\nnew\n"},
		"byte mark too": {"\ufeff# A\r\n\r\nold\r\n", "# A\r\n\r\nold\r\n\r\nnew\r\n"},
	} {
		site := newMemory(t, map[string]string{"content/a.md": c.before})
		bundle, result, err := Seal(site, someSHA, []artifact.Patch{added}, Rules{MaxLinesPerFile: 10})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := string(result.Changes[0].After); got != c.after {
			t.Errorf("%s: %q", name, got)
		}
		if _, err := Apply(site, bundle, Rules{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if again, err := Apply(site, bundle, Rules{}); err != nil || len(again.Changes) > 0 {
			t.Errorf("%s: the second time: %v", name, err)
		}
	}
}
