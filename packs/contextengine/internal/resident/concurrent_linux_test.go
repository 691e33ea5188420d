package resident_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"mcpworks/packs/contextengine/internal/cachetest"
	"mcpworks/packs/contextengine/internal/resident"
)

// whileChanging has several ask while change is called again and again, and
// returns all they heard, by the number of the query.
func whileChanging(t *testing.T, s *resident.Store, root, name string, times int, change func(i int)) []map[string]int {
	t.Helper()
	heard := make([]map[string]int, len(queries))
	for i := range heard {
		heard[i] = map[string]int{}
	}
	var mu sync.Mutex
	var done atomic.Bool
	var clients sync.WaitGroup
	for client := range 3 {
		clients.Go(func() {
			for n := client; !done.Load(); n++ {
				i := n % len(queries)
				got := outcome(s.Resolve(t.Context(), root, name, queries[i]))
				mu.Lock()
				heard[i][got]++
				mu.Unlock()
			}
		})
	}
	for i := range times {
		change(i)
		if i%5 == 4 { // let it come to an index sometimes
			_ = outcome(s.Resolve(t.Context(), root, name, queries[i%len(queries)]))
		}
	}
	done.Store(true)
	clients.Wait()
	return heard
}

// expect says what may be heard: answers of these caches, or these errors.
func expect(t *testing.T, root string, heard []map[string]int, caches []string, errors ...string) {
	t.Helper()
	total := 0
	for i, answers := range heard {
		allowed := map[string]bool{}
		for _, name := range caches {
			allowed[scan(t.Context(), root, name, queries[i])] = true
		}
		for _, name := range errors {
			allowed[name] = true
		}
		for answer, times := range answers {
			total += times
			if !allowed[answer] {
				t.Errorf("%+v was answered %d times with %.300s", queries[i], times, answer)
			}
		}
	}
	if total < len(queries) {
		t.Errorf("%d answers are too few for this test", total)
	}
}

// A cache that is exchanged for another in one step is always one of the two.
func TestExchangedAllTheTime(t *testing.T) {
	root := t.TempDir()
	some(20, "one").Write(t, filepath.Join(root, "c"))
	some(25, "two").Write(t, filepath.Join(root, "next"))
	heard := whileChanging(t, newStore(t, plenty), root, "c", 400, func(int) {
		exchange(t, filepath.Join(root, "next"), filepath.Join(root, "c"))
	})
	expect(t, root, heard, []string{"c", "next"})
}

// The same with a link that is renamed over the one before.
func TestLinkedAnewAllTheTime(t *testing.T) {
	root := t.TempDir()
	some(20, "one").Write(t, filepath.Join(root, "0"))
	some(25, "two").Write(t, filepath.Join(root, "1"))
	turn := func(i int) {
		link(t, fmt.Sprint(i%2), filepath.Join(root, "next"))
		move(t, filepath.Join(root, "next"), filepath.Join(root, "c"))
	}
	turn(0)
	heard := whileChanging(t, newStore(t, plenty), root, "c", 200, turn)
	expect(t, root, heard, []string{"0", "1"})
}

// A cache that is damaged and repaired in place is invalid or as it should be.
func TestDamagedAndRepairedAllTheTime(t *testing.T) {
	root := t.TempDir()
	docs := some(20, "one")
	docs.Write(t, filepath.Join(root, "c"))
	docs.Write(t, filepath.Join(root, "good"))
	s := newStore(t, plenty)
	heard := whileChanging(t, s, root, "c", 200, func(i int) {
		path, text := filepath.Join(root, "c", "manifest.json"), docs.Manifest()
		if id := fmt.Sprintf("doc%03d.md", i%25); docs[id] != "" {
			path, text = filepath.Join(root, "c", cachetest.File(docs[id])), cachetest.Document(id, docs[id])
		}
		switch i % 4 {
		case 0:
			overwrite(t, path)
		case 1:
			cachetest.Must(t, os.Remove(path))
		case 2:
			cachetest.Must(t, os.WriteFile(path, []byte("{}"), 0o644))
		case 3:
			cachetest.Must(t, os.Truncate(path, 20))
		}
		cachetest.Must(t, os.WriteFile(path, text, 0o644))
	})
	expect(t, root, heard, []string{"good"}, "cache_invalid")
	for _, q := range queries {
		check(t, s, root, "c", q)
	}
}

// A cache that is deleted and made again is missing, invalid, or as it should
// be.
func TestDeletedAndMadeAllTheTime(t *testing.T) {
	root := t.TempDir()
	docs := some(10, "one")
	docs.Write(t, filepath.Join(root, "good"))
	s := newStore(t, plenty)
	heard := whileChanging(t, s, root, "c", 20, func(int) {
		docs.Write(t, filepath.Join(root, "c"))
		cachetest.Must(t, os.RemoveAll(filepath.Join(root, "c")))
	})
	expect(t, root, heard, []string{"good"}, "cache_missing", "cache_invalid")
}

// A cache that is replaced as a forced build does it, the old one being deleted
// after the exchange, is always one of the two.
func TestRebuiltAllTheTime(t *testing.T) {
	root := t.TempDir()
	one, two := some(20, "one"), some(25, "two")
	one.Write(t, filepath.Join(root, "c"))
	one.Write(t, filepath.Join(root, "one"))
	two.Write(t, filepath.Join(root, "two"))
	heard := whileChanging(t, newStore(t, plenty), root, "c", 50, func(i int) {
		next := filepath.Join(root, "next")
		if i%2 == 0 {
			two.Write(t, next)
		} else {
			one.Write(t, next)
		}
		exchange(t, next, filepath.Join(root, "c"))
		cachetest.Must(t, os.RemoveAll(next))
	})
	expect(t, root, heard, []string{"one", "two"})
}
