package patch

import (
	"errors"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/artifact"
)

// texts that are made to keep a parser busy are read as any other. (If one
// is not, this test does not end.)
func TestHostileTexts(t *testing.T) {
	for _, part := range []string{"[", "> ", "*a_ ", "_a*", "`", "<", "![", "- ", "1. ", "> > - 1. ", "](", "a\n---\n", "# x\n", "[a]: b\n", "<!--", "| a ", "\n    - x", "{{", "```\n"} {
		hostile := "# Start\n\n" + strings.Repeat(part, (128<<10)/len(part))
		if all := headings(hostile); len(all) == 0 || all[0].title != "start" || all[0].line != 0 {
			t.Errorf("%q: the first heading is not found", part)
		}
		site := newMemory(t, map[string]string{"content/a.md": hostile, "content/_index.md": hostile})
		drafts := []Draft{
			{Section: "docs", Path: "content/a.md", Content: "# Start\n\n## New\n\nText.\n"},
			{Section: "docs", Path: "content/b.md", Content: hostile, Title: part, URL: "/b/", Slug: "b"},
		}
		patches, _, err := Build(site, drafts, Options{Weights: true, Stamp: true, Indexes: []Index{{Section: "docs", Dir: "content"}}})
		if err != nil {
			t.Errorf("%q: %v", part, err)
			continue
		}
		_, _, err = Seal(site, someSHA, patches, Rules{})
		var conflict *ConflictError
		if err != nil && !errors.As(err, &conflict) {
			t.Errorf("%q: %v", part, err)
		}
	}
}

// A section of equal lines is searched in one pass.
func TestRepeatedLines(t *testing.T) {
	lines := strings.Repeat("x\n", MaxPatch/2-10)
	site := newMemory(t, map[string]string{"content/a.md": "## A\n\n" + lines})
	content := lines[:len(lines)/2] + "y\n"
	if _, err := Plan(site, bundleOf(t, artifact.Patch{Type: UpdateByAnchor, Anchor: "A", NewContent: &content}), Rules{}); err != nil {
		t.Error(err)
	}
}
