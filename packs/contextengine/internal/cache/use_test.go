package cache_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/cachetest"
)

// Use tries again only if it failed and another cache is there by now, and not
// for ever.
func TestUse(t *testing.T) {
	failure := errors.New("it failed")
	for _, tt := range []struct {
		name                string
		replacements, fails int
		calls               int // 0: more than one, and some day an end
		want                error
	}{
		{"a success", 0, 0, 1, nil},
		{"a success, though replaced", 1, 0, 1, nil},
		{"a failure", 0, 1, 1, failure},
		{"replaced once", 1, 1, 2, nil},
		{"replaced once, and a failure", 1, 2, 2, failure},
		{"replaced all the time", 99, 99, 0, failure},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			dir := filepath.Join(root, "cache")
			two.Write(t, dir)
			calls := 0
			err := cache.Use(func() (*cache.Cache, error) { return cache.OpenBelow(root, "cache") }, func(c *cache.Cache) error {
				calls++
				if calls <= tt.replacements {
					cachetest.Must(t, renameIn(root, "cache", fmt.Sprint("old", calls)))
					two.Write(t, dir)
				}
				if calls <= tt.fails {
					return failure
				}
				return nil
			})
			if !errors.Is(err, tt.want) || calls != tt.calls && (tt.calls > 0 || calls < 2 || calls == 99) {
				t.Errorf("%v after %d calls, want %v after %d", err, calls, tt.want, tt.calls)
			}
		})
	}
	err := cache.Use(func() (*cache.Cache, error) { return cache.Open(filepath.Join(t.TempDir(), "absent")) }, func(*cache.Cache) error {
		t.Error("what is not there was used")
		return nil
	})
	if !errors.Is(err, cache.ErrMissing) {
		t.Errorf("error %v", err)
	}
}

// An open cache goes on being the one that was opened, wherever it goes.
func TestOpenCacheThatIsMoved(t *testing.T) {
	root := t.TempDir()
	two.Write(t, filepath.Join(root, "cache"))
	c, err := cache.OpenBelow(root, "cache")
	if err != nil {
		t.Fatal(err)
	}
	cachetest.Must(t, renameIn(root, "cache", "elsewhere"))
	cachetest.Must(t, os.Mkdir(filepath.Join(root, "cache"), 0o755))
	checkLoad(t, nil, func() (cachetest.Docs, error) { return load(t.Context(), c, nil) })
}
