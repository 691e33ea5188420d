package build_test

import (
	"path/filepath"
	"sync"
	"testing"

	"mcpworks/packs/contextengine/internal/build"
	"mcpworks/packs/contextengine/internal/cache"
)

// A reader that has opened a cache's directory when the cache is replaced
// sees that another directory has the path by now, and opens that one.
func TestReplacedCacheIsReadAnew(t *testing.T) {
	output := filepath.Join(t.TempDir(), "cache")
	sources := tree{"a.md": "a", "b.md": "b"}.dir(t)
	built(t, build.Options{Sources: sources, Output: output})
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				c, err := cache.Open(output)
				if err != nil {
					t.Error(err)
					return
				}
				c.Close()
				if seen, err := cache.Inspect(t.Context(), output); err != nil || !seen.Valid {
					t.Errorf("inspected: %+v, %v", seen, err)
					return
				}
			}
		})
	}
	for range 30 {
		built(t, build.Options{Sources: sources, Output: output, Force: true})
	}
	close(done)
	readers.Wait()
}
