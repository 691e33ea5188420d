package build

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"mcpworks/packs/contextengine/internal/cache"
)

// removers is how many files are removed at once. Each is waited for, and the
// disk does not mind.
const removers = 8

// removeCache removes the directory at path with all that is in it.
func removeCache(path string) error {
	removeFiles(filepath.Join(path, cache.DocumentsName))
	return os.RemoveAll(path)
}

// removeFiles removes what it can from a directory that may have many files.
func removeFiles(path string) {
	if info, err := os.Lstat(path); err != nil || !info.IsDir() {
		return // a link would lead to the files of others
	}
	dir, err := os.Open(path)
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(removers, len(names)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(names)); i = next.Add(1) - 1 {
				_ = os.Remove(filepath.Join(path, names[i]))
			}
		})
	}
	workers.Wait()
}
