//go:build darwin || linux

package build_test

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"mcpworks/packs/contextengine/internal/build"
	"mcpworks/packs/contextengine/internal/cache"

	"github.com/google/go-cmp/cmp"
)

func TestBUILD3SpecialFilesAreSkipped(t *testing.T) {
	dir := tree{"a.md": "a"}.dir(t)
	must(t, syscall.Mkfifo(filepath.Join(dir, "pipe.md"), 0o666))
	must(t, os.Symlink("pipe.md", filepath.Join(dir, "link.md")))
	t.Chdir(dir) // the path of a socket is short
	socket, err := net.Listen("unix", "socket.md")
	must(t, err)
	defer socket.Close()
	got, _ := built(t, build.Options{Sources: dir})
	if diff := cmp.Diff([]string{"a.md"}, ids(t, got)); diff != "" {
		t.Error(diff)
	}
}

func TestForceDoesNotReplaceSpecialFiles(t *testing.T) {
	dir := tree{"docs/a.md": "a", "cache/documents/": ""}.dir(t)
	pipe := filepath.Join(dir, "pipe")
	must(t, syscall.Mkfifo(pipe, 0o666))
	wantRefused(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: pipe, Force: true}, dir, cache.ErrIO, pipe)
	// A damaged cache may have anything for a manifest.
	must(t, syscall.Mkfifo(filepath.Join(dir, "cache", "manifest.json"), 0o666))
	built(t, build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "cache"), Force: true})
}

// A pipe that takes the place of a source must not hold up the build.
func TestSourceBecomesAPipe(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // the third document is begun when one is done
	dir := tree{"docs/a.md": "a", "docs/b.md": "b", "docs/c.md": "c"}.dir(t)
	o := build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "cache"), CreatedAt: createdAt}
	o.Progress = func(done, _ int) {
		if done == 1 {
			must(t, os.Remove(filepath.Join(dir, "docs", "c.md")))
			must(t, syscall.Mkfifo(filepath.Join(dir, "docs", "c.md"), 0o666))
		}
	}
	_, err := build.Build(t.Context(), o)
	wantKind(t, err, cache.ErrIO)
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestPipeInTheBaseIsNotRead(t *testing.T) {
	sources := tree{"a.md": "a"}.dir(t)
	base, _ := built(t, build.Options{Sources: sources})
	path := filepath.Join(base, "documents", "ca978112ca1b.json")
	must(t, os.Remove(path))
	must(t, syscall.Mkfifo(path, 0o666))
	got, report := built(t, build.Options{Sources: sources, Base: base})
	if report.Reused != 0 {
		t.Errorf("%+v", report)
	}
	if diff := cmp.Diff(map[string][2]string{"a.md": {"a.md", "a"}}, documents(t, got)); diff != "" {
		t.Error(diff)
	}
}
