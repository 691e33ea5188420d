package cache_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/cachetest"
	"mcpworks/packs/contextengine/internal/document"
)

// many is enough for several workers to have several turns each.
func many() cachetest.Docs {
	docs := cachetest.Docs{}
	for i := range 200 {
		docs[fmt.Sprintf("%03d", i)] = fmt.Sprint("content ", i)
	}
	return docs
}

func opened(t *testing.T, docs cachetest.Docs) (*cache.Cache, string) {
	t.Helper()
	dir := t.TempDir()
	docs.Write(t, dir)
	c, err := cache.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c, dir
}

// atCores sets how many workers there are until the end of the test.
func atCores(t *testing.T, cores int) {
	before := runtime.GOMAXPROCS(cores)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

func TestEachVisitsAllOnce(t *testing.T) {
	docs := many()
	c, _ := opened(t, docs)
	ids := docs.IDs()
	for _, cores := range []int{1, 3, 8} {
		atCores(t, cores)
		var mu sync.Mutex
		visits := make([]int, len(ids))
		err := c.Each(t.Context(), cache.Workers(), func(worker, i int, d *document.Document) {
			mu.Lock()
			defer mu.Unlock()
			visits[i]++
			if worker < 0 || worker >= cache.Workers() || d.ID != ids[i] || d.Content != docs[d.ID] {
				t.Errorf("worker %d got %q for entry %d", worker, d.ID, i)
			}
		})
		if err != nil || slices.ContainsFunc(visits, func(n int) bool { return n != 1 }) {
			t.Errorf("on %d cores: %v, visits %v", cores, err, visits)
		}
	}
}

func TestEachOfVisitsThose(t *testing.T) {
	c, _ := opened(t, many())
	for _, entries := range [][]int{nil, {7}, {199, 0, 100}, {5, 5, 5}} {
		var mu sync.Mutex
		var visited []int
		err := c.EachOf(t.Context(), cache.Workers(), entries, func(_, i int, _ *document.Document) {
			mu.Lock()
			defer mu.Unlock()
			visited = append(visited, i)
		})
		want := slices.Sorted(slices.Values(entries))
		slices.Sort(visited)
		if err != nil || !slices.Equal(visited, want) {
			t.Errorf("%v: visited %v, %v", entries, visited, err)
		}
	}
}

// The order asked for decides, not that of the workers.
func TestTheLowestFailureDecides(t *testing.T) {
	docs := many()
	c, dir := opened(t, docs)
	for _, id := range []string{"042", "043", "099", "100", "180", "199"} {
		put(cachetest.File(docs[id]), "damaged")(t, dir)
	}
	downwards := make([]int, 200)
	for i := range downwards {
		downwards[i] = 199 - i
	}
	for _, cores := range []int{1, 2, 8, 64} {
		atCores(t, cores)
		for range 10 {
			ignore := func(int, int, *document.Document) {}
			if err := c.Each(t.Context(), cache.Workers(), ignore); !errors.Is(err, cache.ErrInvalid) || !strings.Contains(err.Error(), `"042"`) {
				t.Fatalf("on %d cores: %v, want the failure of 042", cores, err)
			}
			if err := c.EachOf(t.Context(), cache.Workers(), downwards, ignore); !strings.Contains(err.Error(), `"199"`) {
				t.Fatalf("downwards on %d cores: %v, want the failure of 199", cores, err)
			}
			if err := c.EachOf(t.Context(), cache.Workers(), downwards[60:100], ignore); !strings.Contains(err.Error(), `"100"`) {
				t.Fatalf("from 139 downwards on %d cores: %v, want the failure of 100", cores, err)
			}
		}
	}
}

// LIM-7: work that has ended stops at the next document.
func TestEachStopsAtTheNextDocument(t *testing.T) {
	c, _ := opened(t, many())
	for _, cores := range []int{1, 2, 8} {
		atCores(t, cores)
		for _, last := range []int64{1, 5, 33} {
			ctx, cancel := context.WithCancel(t.Context())
			var visits, after atomic.Int64
			err := c.Each(ctx, cache.Workers(), func(int, int, *document.Document) {
				if ctx.Err() != nil {
					after.Add(1)
				}
				if visits.Add(1) == last {
					cancel()
				}
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("on %d cores: %v", cores, err)
			}
			if got := after.Load(); got > int64(cores) {
				t.Errorf("on %d cores, %d documents were visited after the end", cores, got)
			}
		}
	}
}

func TestEachWithoutTime(t *testing.T) {
	c, dir := opened(t, many())
	put(cachetest.File("content 0"), "damaged")(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := c.Each(ctx, cache.Workers(), func(_, i int, _ *document.Document) { t.Errorf("entry %d was visited", i) })
	if !errors.Is(err, context.Canceled) || isOne(err) != 0 {
		t.Errorf("error %v", err)
	}
}

// What is asked of an open cache about its directory.
func TestReplacedAndPlain(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "cache")
	two.Write(t, dir)
	two.Write(t, filepath.Join(root, "other"))
	c, err := cache.OpenBelow(root, "cache")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if plain, err := c.IsPlain(); !plain || err != nil || c.Replaced() || c.Path() != filepath.Join(evaluated(t, root), "cache") {
		t.Errorf("plain: %v, %v; replaced: %v; path: %s", plain, err, c.Replaced(), c.Path())
	}
	putDirectory("documents/more")(t, dir)
	if plain, err := c.IsPlain(); plain || err != nil {
		t.Errorf("with a directory more: plain: %v, %v", plain, err)
	}
	move := func(from, to string) {
		t.Helper()
		cachetest.Must(t, renameIn(root, from, to))
	}
	move("cache", "away")
	if !c.Replaced() {
		t.Error("moved away, not replaced")
	}
	move("other", "cache")
	if !c.Replaced() {
		t.Error("another moved in, not replaced")
	}
	move("cache", "other")
	move("away", "cache")
	if c.Replaced() {
		t.Error("moved back, replaced")
	}
}

func renameIn(root, from, to string) error {
	return os.Rename(filepath.Join(root, from), filepath.Join(root, to))
}

func evaluated(t *testing.T, path string) string {
	t.Helper()
	canonical, err := filepath.EvalSymlinks(path)
	cachetest.Must(t, err)
	return canonical
}

// RPC-17, ERR-7: a panic at one document is an error of that document, in
// whichever goroutine it happens.
func TestEachSurvivesAPanic(t *testing.T) {
	docs := cachetest.Docs{}
	for i := range 100 {
		docs[fmt.Sprintf("%03d", i)] = fmt.Sprint("content ", i)
	}
	dir := t.TempDir()
	docs.Write(t, dir)
	c, err := cache.Open(dir)
	cachetest.Must(t, err)
	defer c.Close()
	err = c.Each(t.Context(), 4, func(_, i int, _ *document.Document) {
		if i == 42 {
			panic("a defect")
		}
	})
	if err == nil || !strings.Contains(err.Error(), "a defect") {
		t.Errorf("error %v", err)
	}
}
