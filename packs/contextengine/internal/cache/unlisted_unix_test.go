//go:build unix

package cache_test

import (
	"path/filepath"
	"testing"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/cachetest"
)

// What is no regular file makes a cache invalid even where it could not be
// opened: LOAD-2 comes before LOAD-3.
func TestClosedSpecialFiles(t *testing.T) {
	if !cachetest.AsUser(t) {
		return
	}
	checkLoads(t, []loadCase{
		{"LOAD-2 closed pipe", both(pipe("manifest.json"), mode("manifest.json", 0)), cache.ErrInvalid},
		{"LOAD-2 closed directory", both(putDirectory("manifest.json"), mode("manifest.json", 0)), cache.ErrInvalid},
		{"LOAD-2 closed socket", both(socket("manifest.json"), mode("manifest.json", 0)), cache.ErrInvalid},
		{"LOAD-8 closed pipe", both(pipe(fileA), mode(fileA, 0)), cache.ErrInvalid},
		{"LOAD-8 closed directory", both(putDirectory(fileA), mode(fileA, 0)), cache.ErrInvalid},
	})
}

// A directory that may be entered but not listed has files that can be read by
// name, and names are all that loading needs.
func TestDirectoriesThatCannotBeListed(t *testing.T) {
	if !cachetest.AsUser(t) {
		return
	}
	checkLoads(t, []loadCase{
		{"LOAD-3 cache directory", mode(".", 0o100), nil},
		{"LOAD-8 documents directory", mode("documents", 0o100), nil},
		{"SEC-2 cache root", mode("..", 0o100), nil},
		{"LOAD-3 cache directory that cannot be entered", mode(".", 0), cache.ErrIO},
	})
	root := t.TempDir()
	two.Write(t, filepath.Join(root, "cache"))
	mode("cache", 0o100)(t, root)
	if got, err := cache.InspectBelow(root, "cache"); err != nil || got.Valid || got.TotalBytes != 0 || got.DocumentCount != 2 {
		t.Errorf("INS-8: %+v, %v", got, err)
	}
	mode("cache", 0)(t, root)
	if got, err := cache.InspectBelow(root, "cache"); isOne(err) != isOne(cache.ErrIO) {
		t.Errorf("INS-7: %+v, %v", got, err)
	}
}
