package cache_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/cachetest"
)

// SEC-7: the kernel is asked whether anything outside was opened.
func TestNothingOutsideIsOpened(t *testing.T) {
	escapes := map[string]func(*testing.T, string){
		"manifest":           link("manifest.json", "OUTSIDE/manifest.json"),
		"manifest, relative": link("manifest.json", "../../root-outside/manifest.json"),
		"manifest, chain":    both(link("manifest.json", "one"), link("one", "OUTSIDE/manifest.json")),
		"documents":          link("documents", "OUTSIDE/documents"),
		"document":           link(fileA, "OUTSIDE/"+fileA),
		"document, relative": link(fileA, "../../../root-outside/"+fileA),
		"index":              link("index.json", "OUTSIDE/index.json"),
		"named by manifest": both(link("unused", "OUTSIDE"), put("manifest.json",
			object(with(manifest, "documents", list(object(with(first, "file", `"../../root-outside/`+fileA+`"`)), object(second)))))),
	}
	for name, escape := range escapes {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "root")
			dir := filepath.Join(root, "cache")
			two.Write(t, dir)
			escape(t, dir)
			outside := filepath.Join(filepath.Dir(root), "root-outside")
			w := watchOpens(t, outside, filepath.Join(outside, "documents"))
			_, _ = openAll(t, dir)
			_, _ = openAllBelow(t, root, "cache")
			_, _ = cache.Inspect(t.Context(), dir)
			_, _ = cache.InspectBelow(root, "cache")
			_, _ = cache.List(root)
			if w.saw(t) {
				t.Error("a file outside of the cache was opened")
			}
			if _, err := os.ReadFile(filepath.Join(outside, fileA)); err != nil || !w.saw(t) {
				t.Errorf("the test does not notice what is opened: %v", err)
			}
		})
	}
	// SEC-3, for the server only.
	above := t.TempDir()
	two.Write(t, filepath.Join(above, "outside"))
	cachetest.Must(t, os.Mkdir(filepath.Join(above, "root"), 0o755))
	cachetest.Must(t, os.Symlink("../outside", filepath.Join(above, "root", "cache")))
	w := watchOpens(t, filepath.Join(above, "outside"))
	_, _ = openAllBelow(t, filepath.Join(above, "root"), "cache")
	_, _ = cache.InspectBelow(filepath.Join(above, "root"), "cache")
	_, _ = cache.List(filepath.Join(above, "root"))
	if w.saw(t) {
		t.Error("a cache outside of the root was opened")
	}
}

// opens is told by the kernel when a directory, or a file in it, is opened.
type opens int

func watchOpens(t *testing.T, directories ...string) opens {
	t.Helper()
	fd, err := syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK)
	cachetest.Must(t, err)
	t.Cleanup(func() { syscall.Close(fd) })
	for _, directory := range directories {
		_, err := syscall.InotifyAddWatch(fd, directory, syscall.IN_OPEN)
		cachetest.Must(t, err)
	}
	return opens(fd)
}

func (o opens) saw(t *testing.T) bool {
	t.Helper()
	var events [4096]byte
	n, err := syscall.Read(int(o), events[:])
	if err != nil && !errors.Is(err, syscall.EAGAIN) {
		t.Fatal(err)
	}
	return n > 0
}

// Whatever goes wrong, no file stays open.
func TestNoFileStaysOpen(t *testing.T) {
	var alterations []func(*testing.T, string)
	for _, tt := range badManifests() {
		alterations = append(alterations, put("manifest.json", tt.text))
	}
	alterations = append(alterations[:20], nothing, remove("manifest.json"), pipe("manifest.json"), remove("documents"), link("documents", "OUTSIDE/documents"), remove(fileA),
		putDirectory(fileA), pipe(fileB), put(fileA, "x"), link("manifest.json", "OUTSIDE/manifest.json"), remove("index.json"))
	for i, alter := range alterations {
		root := filepath.Join(t.TempDir(), "root")
		dir := filepath.Join(root, "cache")
		two.Write(t, dir)
		alter(t, dir)
		before := openFiles(t)
		_, _ = openAll(t, dir)
		_, _ = openAllBelow(t, root, "cache")
		_, _ = cache.OpenWatched(root, "cache", func(*os.Root) error { return errors.New("not wanted") })
		_, _ = cache.Inspect(t.Context(), dir)
		_, _ = cache.InspectBelow(root, "cache")
		_, _ = cache.List(root)
		if after := openFiles(t); after != before {
			t.Errorf("case %d: %d files were open, then %d", i, before, after)
		}
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	cachetest.Must(t, err)
	return len(files)
}

// OpenWatched shows each directory before anything in it is read.
func TestOpenWatched(t *testing.T) {
	root := t.TempDir()
	two.Write(t, filepath.Join(root, "cache"))
	w := watchOpens(t, filepath.Join(root, "cache", "documents"))
	var shown []string
	c, err := cache.OpenWatched(root, "cache", func(directory *os.Root) error {
		shown = append(shown, filepath.Base(directory.Name()))
		return nil
	})
	if err != nil || len(shown) != 2 || shown[0] != "cache" || shown[1] != "documents" {
		t.Fatalf("shown %q, %v", shown, err)
	}
	w.saw(t) // the directory itself
	if w.saw(t) {
		t.Error("a document was opened")
	}
	c.Close()
	refused := errors.New("not this one")
	for at := range 2 {
		shown := 0
		_, err := cache.OpenWatched(root, "cache", func(*os.Root) error {
			if shown++; shown > at {
				return refused
			}
			return nil
		})
		if !errors.Is(err, refused) {
			t.Errorf("refused at %d: %v", at, err)
		}
	}
}
