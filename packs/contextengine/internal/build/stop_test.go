package build_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"mcpworks/packs/contextengine/internal/build"
	"mcpworks/packs/contextengine/internal/cache"

	"github.com/google/go-cmp/cmp"
)

// ending is a context that ends when it has been asked a number of times.
type ending struct {
	context.Context
	left atomic.Int64
}

func (e *ending) Err() error {
	if e.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// BUILD-11: wherever a build is stopped, all is as before.
func TestStoppedAtEveryStageLeavesNothing(t *testing.T) {
	dir := tree{"docs/a.md": "a", "docs/b.md": "b", "docs/sub/c.md": "c", "old/x.md": "x", "docs/same.md": "same", "old/same.md": "same"}.dir(t)
	replaced := filepath.Join(dir, "replaced")
	built(t, build.Options{Sources: filepath.Join(dir, "old"), Output: replaced})
	before := read(t, dir)
	for name, o := range map[string]build.Options{
		"new":         {Output: filepath.Join(dir, "new", "cache")},
		"replaced":    {Output: replaced, Force: true},
		"incremental": {Output: replaced, Force: true, Base: replaced},
	} {
		t.Run(name, func(t *testing.T) {
			o.Sources, o.CreatedAt = filepath.Join(dir, "docs"), createdAt
			var stopped int64
			for ; stopped < 1000; stopped++ {
				ctx := &ending{Context: t.Context()}
				ctx.left.Store(stopped)
				_, err := build.Build(ctx, o)
				if err == nil {
					break
				}
				if !errors.Is(err, context.Canceled) {
					t.Fatalf("stopped when asked %d times: %v", stopped, err)
				}
				if diff := cmp.Diff(before, read(t, dir)); diff != "" {
					t.Fatalf("stopped when asked %d times, it left (-before +after)\n%s", stopped, diff)
				}
			}
			// Once for each entry and document, and before the three last steps.
			if stopped < 13 {
				t.Errorf("asked %d times only", stopped)
			}
			if diff := cmp.Diff([]string{"a.md", "b.md", "same.md", "sub/c.md"}, ids(t, o.Output)); diff != "" {
				t.Error(diff)
			}
			must(t, os.RemoveAll(filepath.Join(dir, "new")))
			built(t, build.Options{Sources: filepath.Join(dir, "old"), Output: replaced, Force: true})
		})
	}
}

func TestStoppedWhileWorking(t *testing.T) {
	files := tree{}
	for i := range 200 {
		files[fmt.Sprintf("docs/%d.md", i)] = fmt.Sprint("document ", i)
	}
	dir := files.dir(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	o := build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "cache"), CreatedAt: createdAt}
	o.Progress = func(done, _ int) {
		if done == 100 {
			cancel(errors.New("enough"))
		}
		if done > 100+2*runtime.GOMAXPROCS(0) {
			t.Errorf("document %d after the end", done)
		}
	}
	if _, err := build.Build(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

// Sources that change while they are read make the build fail, or are read as
// they are.
func TestSourceVanishes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // the third document is begun when one is done
	dir := tree{"docs/a.md": "a", "docs/b.md": "b", "docs/c.md": "c"}.dir(t)
	o := build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "cache"), CreatedAt: createdAt}
	o.Progress = func(int, int) { _ = os.Remove(filepath.Join(dir, "docs", "c.md")) }
	_, err := build.Build(t.Context(), o)
	wantKind(t, err, cache.ErrIO)
	if diff := cmp.Diff(tree{"docs/": "", "docs/a.md": "a", "docs/b.md": "b"}, read(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestOutputAppearsMeanwhile(t *testing.T) {
	dir := tree{"docs/a.md": "a"}.dir(t)
	output := filepath.Join(dir, "new", "cache")
	for _, force := range []bool{false, true} {
		o := build.Options{Sources: filepath.Join(dir, "docs"), Output: output, Force: force, CreatedAt: createdAt}
		o.Progress = func(int, int) { tree{"mine": "mine"}.write(t, output) }
		_, err := build.Build(t.Context(), o)
		wantKind(t, err, cache.ErrIO)
		if diff := cmp.Diff(tree{"cache/": "", "cache/mine": "mine"}, read(t, filepath.Dir(output))); diff != "" {
			t.Errorf("force %v: %s", force, diff)
		}
		must(t, os.RemoveAll(filepath.Dir(output)))
	}
	// An empty directory is a cache for those who use force, and only for them.
	for _, force := range []bool{false, true} {
		o := build.Options{Sources: filepath.Join(dir, "docs"), Output: output, Force: force, CreatedAt: createdAt}
		o.Progress = func(int, int) { must(t, os.Mkdir(output, 0o777)) }
		if _, err := build.Build(t.Context(), o); (err == nil) != force {
			t.Errorf("force %v: %v", force, err)
		}
		must(t, os.RemoveAll(filepath.Dir(output)))
	}
}

func TestOldCacheVanishesMeanwhile(t *testing.T) {
	dir := tree{"docs/a.md": "a", "cache/": ""}.dir(t)
	o := build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "cache"), Force: true}
	o.Progress = func(int, int) { must(t, os.Remove(o.Output)) }
	built(t, o)
	if diff := cmp.Diff([]string{"a.md"}, ids(t, o.Output)); diff != "" {
		t.Error(diff)
	}
}

func TestRacingBuildsHaveOneWinner(t *testing.T) {
	const builds = 8
	for round := range 10 {
		dir := tree{"docs/a.md": fmt.Sprint("round ", round), "docs/b.md": "b"}.dir(t)
		o := build.Options{Sources: filepath.Join(dir, "docs"), Output: filepath.Join(dir, "new", "parent", "cache"), CreatedAt: createdAt}
		var won atomic.Int64
		var all sync.WaitGroup
		for range builds {
			all.Go(func() {
				if _, err := build.Build(t.Context(), o); err == nil {
					won.Add(1)
				} else if !errors.Is(err, cache.ErrIO) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if won.Load() != 1 {
			t.Fatalf("%d builds made one cache", won.Load())
		}
		if diff := cmp.Diff([]string{"a.md", "b.md"}, ids(t, o.Output)); diff != "" {
			t.Error(diff)
		}
		if beside, _ := os.ReadDir(filepath.Dir(o.Output)); len(beside) != 1 {
			t.Errorf("left behind: %v", beside)
		}
	}
}

// With force all builds win, one after the other. What is at the output is a
// whole cache at all times; a replaced one may be gone while it is read.
func TestRacingReplacementsAllWin(t *testing.T) {
	dir := t.TempDir()
	output := filepath.Join(dir, "out", "cache")
	built(t, build.Options{Sources: tree{"a.md": "first"}.dir(t), Output: output})
	var all sync.WaitGroup
	for i := range 8 {
		sources := tree{"a.md": fmt.Sprint("from ", i), "b.md": fmt.Sprint("b from ", i)}.dir(t)
		all.Go(func() {
			for range 5 {
				if _, err := build.Build(t.Context(), build.Options{Sources: sources, Output: output, Force: true, CreatedAt: createdAt}); err != nil {
					t.Error(err)
				}
			}
		})
		all.Go(func() {
			for range 50 {
				wantWhole(t, output)
			}
		})
	}
	all.Wait()
	if diff := cmp.Diff([]string{"a.md", "b.md"}, ids(t, output)); diff != "" {
		t.Error(diff)
	}
	if beside, _ := os.ReadDir(filepath.Dir(output)); len(beside) != 1 {
		t.Errorf("left behind: %v", beside)
	}
}

func wantWhole(t *testing.T, dir string) {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Error(err)
		return
	}
	defer root.Close()
	text, err := root.ReadFile("manifest.json")
	if err == nil {
		_, err = cache.ParseManifest(text)
	}
	if err == nil {
		_, err = root.Stat("documents")
	}
	then, _ := root.Stat(".")
	now, _ := os.Stat(dir)
	if err != nil && os.SameFile(then, now) {
		t.Error(err)
	}
}
