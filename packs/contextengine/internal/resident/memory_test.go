package resident

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/cachetest"
	"mcpworks/packs/contextengine/internal/selection"
)

// audit says how much is kept, which has to be what the books say.
func (s *Store) audit(t *testing.T) (caches int, bytes int64) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.places {
		if p.kept != nil {
			caches++
			bytes += p.kept.size
			if p.kept.users.Load() != 1 {
				t.Errorf("%d users of what nobody uses", p.kept.users.Load())
			}
		}
	}
	if s.used != bytes || bytes > max(s.memory, 0) || caches > maxKept {
		t.Errorf("%d caches with %d bytes are kept of %d bytes, and %d are booked", caches, bytes, s.memory, s.used)
	}
	return caches, bytes
}

func ask(t *testing.T, s *Store, root, name string, q selection.Query) {
	t.Helper()
	c, err := cache.OpenBelow(root, name)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	want, err := selection.Scan(t.Context(), c, q)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Resolve(t.Context(), root, name, q)
	if err != nil {
		t.Fatal(err)
	}
	if string(got.AppendJSON(nil)) != string(want.AppendJSON(nil)) {
		t.Errorf("%s, %+v: the store answers otherwise than a scan", name, q)
	}
}

// However little memory there is, answers are right, and the books, too.
func TestMemory(t *testing.T) {
	root := t.TempDir()
	const caches = 7
	for i := range caches {
		docs := cachetest.Docs{}
		for d := range 5 + i {
			docs[fmt.Sprint(d)] = fmt.Sprintf("cache %d document %d of many words", i, d)
		}
		docs.Write(t, filepath.Join(root, fmt.Sprint(i)))
	}
	for _, memory := range []int64{0, 1, 1 << 20, 2 << 20, 5 << 20, 1 << 30} {
		s := New(memory)
		for i := range 3 * caches {
			q := selection.Query{Text: fmt.Sprintf("document %d", i), Budget: int64(i)}
			if i%3 == 0 {
				q.Ranking = selection.BM25
			}
			ask(t, s, root, fmt.Sprint((i*i)%caches), q)
			if i%2 == 0 {
				s.Settle()
				s.audit(t)
			}
		}
		s.Settle()
		n, bytes := s.audit(t)
		if memory == 1<<30 && n == 0 || memory == 0 && n > 0 {
			t.Errorf("%d caches with %d bytes are kept of %d bytes", n, bytes, memory)
		}
		s.Close()
		if n, bytes := s.audit(t); n != 0 || bytes != 0 {
			t.Errorf("%d caches with %d bytes are kept of a closed store", n, bytes)
		}
	}
}

// There is a limit to the number of caches, too, which has the oldest give way.
func TestManyCaches(t *testing.T) {
	root := t.TempDir()
	for i := range maxKept + 6 {
		cachetest.Docs{"a.md": fmt.Sprint("document ", i)}.Write(t, filepath.Join(root, fmt.Sprint(i)))
	}
	s := New(1 << 40)
	defer s.Close()
	for i := range maxKept + 6 {
		ask(t, s, root, fmt.Sprint(i), selection.Query{Text: "document", Budget: 9})
		s.Settle()
		s.audit(t)
		if _, err := s.Resolve(t.Context(), root, "0", selection.Query{}); err != nil {
			t.Fatal(err)
		}
	}
	caches, _ := s.audit(t)
	for _, name := range []string{"0", fmt.Sprint(maxKept + 5)} {
		path, err := cache.Locate(root, name)
		cachetest.Must(t, err)
		if p := s.places[path]; caches != maxKept || p == nil || p.kept == nil {
			t.Errorf("%d caches are kept; %s was asked last, and may have been given up", caches, name)
		}
	}
}

// An index that would take more than its text and the limit is done without.
func TestIndexThatIsTooLarge(t *testing.T) {
	var text strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&text, "w%d ", i)
	}
	root := t.TempDir()
	cachetest.Docs{"a.md": text.String(), "b.md": "w1 w2"}.Write(t, filepath.Join(root, "c"))
	s := New(1 << 20)
	defer s.Close()
	for i := range 4 {
		ask(t, s, root, "c", selection.Query{Text: "w1 w59999", Budget: 1 << 30, Ranking: []selection.Ranking{"", selection.BM25}[i%2]})
		s.Settle()
	}
	if n, bytes := s.audit(t); n != 0 {
		t.Errorf("%d bytes are kept", bytes)
	}
}
