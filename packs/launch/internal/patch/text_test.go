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
		"old machines":  {"# A\r\rold\r", "# A\r\rold\r\n\nnew\n"},
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

// A lone CR before a line without text stays a line end of its own.
func TestLoneCarriageReturn(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"a\nb\rc\n", "b\n\n", "b\r\n\n"},
		{"b\rc\n\nd\n", "b\n\nd\n", "b\r\n\nd\n"},
	} {
		if got := withEndsOf(c.before, c.after); got != c.want || normal(got) != c.after {
			t.Errorf("%q in the manner of %q is %q", c.after, c.before, got)
		}
	}
}
