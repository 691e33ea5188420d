//go:build unix

package cache_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/cachetest"
)

// A link that leads nowhere but to itself is nothing that could be read: the
// structure is wrong, not the system (ERR-6).
func TestLoops(t *testing.T) {
	checkLoads(t, []loadCase{
		{"LOAD-2 manifest links to itself", link("manifest.json", "manifest.json"), cache.ErrInvalid},
		{"LOAD-2 manifest in a loop of two", both(link("manifest.json", "one"), link("one", "DIR/manifest.json")), cache.ErrInvalid},
		{"LOAD-8 documents links to itself", link("documents", "documents"), cache.ErrInvalid},
		{"LOAD-8 document links to itself", link(fileA, filepath.Base(fileA)), cache.ErrInvalid},
		{"LOAD-8 document in a loop through the cache", both(link(fileA, "../one"), link("one", fileA)), cache.ErrInvalid},
	})
	above := t.TempDir()
	cachetest.Must(t, os.Symlink("loop", filepath.Join(above, "loop")))
	for _, name := range []string{"loop", "loop/cache"} {
		checkLoad(t, cache.ErrMissing, func() (cachetest.Docs, error) { return openAll(t, above+"/"+name) })
		checkLoad(t, cache.ErrMissing, func() (cachetest.Docs, error) { return openAllBelow(t, above, name) })
	}
	root := t.TempDir()
	two.Write(t, filepath.Join(root, "cache"))
	link("manifest.json", "manifest.json")(t, filepath.Join(root, "cache"))
	if got, err := cache.InspectBelow(root, "cache"); err != nil || got != (cache.Inspection{}) {
		t.Errorf("INS-6: %+v, %v", got, err)
	}
}

// The documents directory is something else (LOAD-8).
func TestDocumentsIsNoDirectory(t *testing.T) {
	checkLoads(t, []loadCase{
		{"LOAD-8 documents is a file", put("documents", "x"), cache.ErrInvalid},
		{"LOAD-8 documents links to a file", link("documents", "index.json"), cache.ErrInvalid},
		{"LOAD-8 documents is a socket", socket("documents"), cache.ErrInvalid},
		{"LOAD-8 documents is a device", device(1, 3)("documents"), cache.ErrInvalid},
	})
}

// A pipe in place of the documents directory is not waited for (LOAD-8): whoever
// opens it may wait for ever, and no timeout ends that.
func TestDocumentsIsAPipe(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	two.Write(t, dir)
	pipe("documents")(t, dir)
	opened := make(chan error, 1)
	go func() {
		_, err := openAll(t, dir)
		opened <- err
	}()
	// A writer can open a pipe at once only if a reader waits at it.
	for {
		select {
		case err := <-opened:
			if isOne(err) != isOne(cache.ErrInvalid) {
				t.Errorf("error %v", err)
			}
			return
		default:
		}
		if fd, err := syscall.Open(filepath.Join(dir, "documents"), syscall.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
			t.Errorf("the pipe was opened")
			syscall.Close(fd)
			<-opened
			return
		}
	}
}
