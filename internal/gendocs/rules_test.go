package gendocs_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/internal/gendocs"
)

// TestRulePagesAreFresh holds docs/rules to the rules: one page for each, and
// none for others.
func TestRulePagesAreFresh(t *testing.T) {
	folder := filepath.Join("..", "..", "docs", "rules")
	pages := gendocs.Rules()
	if *update {
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, page := range pages {
			if err := os.WriteFile(filepath.Join(folder, name), page, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(pages)), names); diff != "" {
		t.Errorf("%s has other pages; run this test with -update (-want +got):\n%s", folder, diff)
	}
	for name, want := range pages {
		got, _ := os.ReadFile(filepath.Join(folder, name)) // one that is missing was told above
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s is stale; run this test with -update (-want +got):\n%s", name, diff)
		}
	}
}
