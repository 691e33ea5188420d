package cache_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/cachetest"

	"github.com/google/go-cmp/cmp"
)

// LOAD-12 and SCOPE-2: whatever state a cache is in, reading leaves it so.
func TestReadingChangesNothing(t *testing.T) {
	for name, alter := range map[string]func(*testing.T, string){
		"good":         nothing,
		"no manifest":  remove("manifest.json"),
		"no index":     remove("index.json"),
		"no documents": remove("documents"),
		"no document":  remove(fileA),
		"damaged":      put(fileA, "x"),
		"stray":        put("documents/stray.json", "x"),
		"bad manifest": put("manifest.json", "{}"),
		"unfinished":   put("documents/.tmp-123", "x"),
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			two.Write(t, filepath.Join(root, "cache"))
			alter(t, filepath.Join(root, "cache"))
			before := snapshot(t, root)
			_, _ = openAll(t, filepath.Join(root, "cache"))
			_, _ = openAllBelow(t, root, "cache")
			_, _ = openAllBelow(t, root, "absent")
			_, _ = cache.Inspect(t.Context(), filepath.Join(root, "cache"))
			_, _ = cache.InspectBelow(root, "cache")
			_, _ = cache.List(root)
			if diff := cmp.Diff(before, snapshot(t, root)); diff != "" {
				t.Errorf("(-before +after):\n%s", diff)
			}
		})
	}
}

// snapshot is all there is to see below a directory.
func snapshot(t *testing.T, root string) map[string]string {
	t.Helper()
	seen := map[string]string{}
	cachetest.Must(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		text, _ := os.ReadFile(path) // none of a directory
		seen[path] = fmt.Sprint(info.Mode(), info.Size(), info.ModTime(), string(text))
		return nil
	}))
	return seen
}
