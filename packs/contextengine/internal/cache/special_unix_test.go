//go:build unix

package cache_test

import (
	"os"
	"path/filepath"
	"testing"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/cachetest"
)

// INS-5 and INS-6 with links and special files.
func TestInspectBelowSpecialFiles(t *testing.T) {
	size := int64(len(two.Manifest()) + len(two.Index()))
	above := t.TempDir()
	for _, tt := range []struct {
		rule  string
		alter func(*testing.T, string)
		total int64
		valid bool
	}{
		{"INS-5 links do not count", both(link("l", "index.json"), link("m", "OUTSIDE/index.json")), size, true},
		{"INS-5 pipes do not count", both(pipe("p"), socket("s")), size, true},
		{"INS-6 manifest link inside", moveAndLink("manifest.json", "real.json", "real.json"), size, true},
		{"INS-6 manifest link into documents", moveAndLink("manifest.json", "documents/real.json", "DIR/documents/real.json"), int64(len(two.Index())), true},
		{"INS-6 manifest link outside", link("manifest.json", "OUTSIDE/manifest.json"), 0, false},
		{"INS-6 manifest link to the root's", both(copyCache(".."), link("manifest.json", "../manifest.json")), 0, false},
		{"INS-6 manifest link to nothing", link("manifest.json", "absent"), 0, false},
		{"INS-6 manifest is a pipe", pipe("manifest.json"), 0, false},
		{"INS-6 manifest is a socket", socket("manifest.json"), 0, false},
		{"INS-6 manifest is a device", device(1, 5)("manifest.json"), 0, false},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			root := filepath.Join(above, tt.rule, "root")
			two.Write(t, filepath.Join(root, "cache"))
			tt.alter(t, filepath.Join(root, "cache"))
			got, err := cache.InspectBelow(root, "cache")
			if err != nil || got.TotalBytes != tt.total || got.Valid != tt.valid || !tt.valid && got != (cache.Inspection{}) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

// LIST-1 and LIST-2 with links and special files.
func TestListSpecialFiles(t *testing.T) {
	root := t.TempDir()
	two.Write(t, filepath.Join(root, "cache"))
	for _, name := range []string{"link", "pipe", "loop", "out"} {
		cachetest.Must(t, os.Mkdir(filepath.Join(root, name), 0o755))
	}
	link("linked", "cache")(t, root)
	link("broken", "absent")(t, root)
	pipe("p")(t, root)
	socket("s")(t, root)
	cachetest.Must(t, os.Symlink("../cache/manifest.json", filepath.Join(root, "link", "manifest.json")))
	cachetest.Must(t, os.Symlink("manifest.json", filepath.Join(root, "loop", "manifest.json")))
	cachetest.Must(t, os.Symlink("/etc/passwd", filepath.Join(root, "out", "manifest.json")))
	pipe("pipe/manifest.json")(t, root)
	const want = `{"caches":[{"path":"cache","has_manifest":true},{"path":"link","has_manifest":false},{"path":"loop","has_manifest":false},` +
		`{"path":"out","has_manifest":false},{"path":"pipe","has_manifest":false}]}`
	for _, from := range []string{root, root + "/", root + "/linked/.."} {
		got, err := cache.List(from)
		if text := string(cache.AppendList(nil, got)); err != nil || text != want {
			t.Errorf("%v, %s\nwant %s", err, text, want)
		}
	}
	over := filepath.Join(t.TempDir(), "over")
	cachetest.Must(t, os.Symlink(root, over))
	if got, err := cache.List(over); err != nil || string(cache.AppendList(nil, got)) != want {
		t.Errorf("a root behind a link: %v, %v", got, err)
	}
}

// VERIFY-1 and VERIFY-2 with links and special files: nothing hangs, nothing is
// read outside.
func TestVerifySpecialFiles(t *testing.T) {
	above := t.TempDir()
	for _, tt := range []struct {
		rule     string
		alter    func(*testing.T, string)
		problems int
	}{
		{"VERIFY-2 index link inside", moveAndLink("index.json", "real.json", "DIR/real.json"), 0},
		{"VERIFY-2 index link outside", link("index.json", "OUTSIDE/index.json"), 1},
		{"VERIFY-2 index is a pipe", pipe("index.json"), 1},
		{"VERIFY-1 document is a pipe", pipe(fileA), 1},
		{"VERIFY-1 document link outside", link(fileA, "OUTSIDE/"+fileA), 1},
		{"VERIFY-1 document link inside", moveAndLink(fileA, "real.json", "../real.json"), 0},
		{"VERIFY-3 stray pipe", pipe("documents/p"), 1},
		{"VERIFY-3 stray link", link("documents/l", filepath.Base(fileA)), 1},
		{"VERIFY-1 documents link outside", link("documents", "OUTSIDE/documents"), 1},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			dir := filepath.Join(above, tt.rule, "root", "cache")
			two.Write(t, dir)
			tt.alter(t, dir)
			if problems, _, err := cache.Verify(t.Context(), dir); err != nil || len(problems) != tt.problems {
				t.Errorf("problems %q, %v, want %d", problems, err, tt.problems)
			}
		})
	}
}
