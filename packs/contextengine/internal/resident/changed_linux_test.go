package resident

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/cachetest"
)

// Of two who ask after a change whether there was one, both are told.
func TestAllAreToldOfAChange(t *testing.T) {
	root := t.TempDir()
	cachetest.Docs{"a.md": "document"}.Write(t, filepath.Join(root, "c"))
	path, err := cache.Locate(root, "c")
	cachetest.Must(t, err)
	w := newWatcher()
	defer w.close()
	k, err := open(w, path, root, "c")
	cachetest.Must(t, err)
	defer k.release()
	for i := range 3000 {
		cachetest.Must(t, os.Chmod(filepath.Join(path, "manifest.json"), 0o600|os.FileMode(i%2)<<5))
		var told [2]bool
		var all sync.WaitGroup
		for j := range told {
			all.Go(func() { told[j] = !k.isCurrent() })
		}
		all.Wait()
		if told != [2]bool{true, true} {
			t.Fatalf("after change %d, %v were told", i, told)
		}
		k.stale = false
	}
}
