package resident_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/cachetest"
	"mcpworks/packs/contextengine/internal/resident"
	"mcpworks/packs/contextengine/internal/selection"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// plenty is more memory than any test needs.
const plenty = 1 << 30

// outcome is all that a client can see of an answer: its bytes, or the kind of
// error.
func outcome(result *selection.Result, err error) string {
	switch {
	case err == nil:
		return string(result.AppendJSON(nil))
	case errors.Is(err, cache.ErrMissing):
		return "cache_missing"
	case errors.Is(err, cache.ErrInvalid):
		return "cache_invalid"
	case errors.Is(err, cache.ErrIO):
		return "io_error"
	}
	return "internal_error: " + err.Error()
}

// scan answers from the files alone.
func scan(ctx context.Context, root, name string, q selection.Query) string {
	c, err := cache.OpenBelow(root, name)
	if err != nil {
		return outcome(nil, err)
	}
	defer c.Close()
	return outcome(selection.Scan(ctx, c, q))
}

func newStore(t *testing.T, memory int64) *resident.Store {
	s := resident.New(memory)
	t.Cleanup(s.Close)
	return s
}

// check holds an answer of the store to that of a scan at the same moment.
func check(t *testing.T, s *resident.Store, root, name string, q selection.Query) {
	t.Helper()
	want := scan(t.Context(), root, name, q)
	if got := outcome(s.Resolve(t.Context(), root, name, q)); got != want {
		t.Errorf("%s, %+v (-scan +store):\n%s", name, q, cmp.Diff(want, got))
	}
}

// some is a corpus of documents that share words.
func some(documents int, mark string) cachetest.Docs {
	docs := cachetest.Docs{}
	for i := range documents {
		docs[fmt.Sprintf("doc%03d.md", i)] = fmt.Sprintf("%s %d the %sguide. ΟΔΟΣ word%d 日本", mark, i, strings.Repeat("deploy ", i%7), i%5)
	}
	return docs
}

// queries ask in both rankings, for nothing, little and all.
var queries = []selection.Query{
	{Text: "deploy", Budget: 0},
	{Text: "deploy", Budget: 0, Ranking: selection.BM25},
	{Text: "deploy οδος", Budget: 30},
	{Text: "guide word3", Budget: 30, Ranking: selection.BM25},
	{Text: "", Budget: math.MaxInt64},
	{Text: "absent the the", Budget: math.MaxInt64, Ranking: selection.BM25},
	{Text: "guide. 日本", Budget: math.MaxInt64, Ranking: selection.TermFrequency},
}

// DET-2: cold, warm and in between, in both rankings, the store answers as a
// scan does.
func TestAnswersAsAScan(t *testing.T) {
	words := []string{"deploy", "Deploy", "guide.", "guide", "the", "ΟΔΟΣ", "οδος", "日本", "e-mail", "x", strings.Repeat("long", 30), strings.Repeat("LONG", 30), "İ"}
	root := t.TempDir()
	runs := 0
	rapid.Check(t, func(r *rapid.T) {
		runs++
		name := fmt.Sprint(runs)
		docs, contents := cachetest.Docs{}, map[string]bool{}
		for i := range rapid.IntRange(0, 12).Draw(r, "documents") {
			content := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 8).Draw(r, "words"), " ")
			if contents[content] {
				content += fmt.Sprint(" ", i)
			}
			contents[content] = true
			docs[fmt.Sprint(i)] = content
		}
		docs.Write(r, filepath.Join(root, name))
		s := resident.New(plenty)
		defer s.Close()
		for i := range 6 {
			q := selection.Query{
				Text:    strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 4).Draw(r, "terms"), " "),
				Budget:  rapid.SampledFrom([]int64{0, 1, 5, 20, 60, math.MaxInt64}).Draw(r, "budget"),
				Ranking: rapid.SampledFrom([]selection.Ranking{"", selection.TermFrequency, selection.BM25}).Draw(r, "ranking"),
			}
			check(t, s, root, name, q)
			if i == 1 || i == 3 { // before that, indexes are still being made
				s.Settle()
			}
		}
		if t.Failed() {
			r.FailNow()
		}
	})
}

// The same on a corpus of some size, with words as frequent as they are in
// texts, on one core and on several.
func TestAnswersAsAScanOfMany(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	word := func() string { return fmt.Sprintf("W%d", int(random.ExpFloat64()*300)) }
	docs := cachetest.Docs{}
	for i := range 700 {
		var content strings.Builder
		for range random.Intn(200) {
			content.WriteString(word() + " ")
		}
		docs[fmt.Sprintf("d%05d.md", i)] = content.String() + fmt.Sprint("x", i)
	}
	root := t.TempDir()
	docs.Write(t, filepath.Join(root, "c"))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, cores := range []int{1, 8} {
		runtime.GOMAXPROCS(cores)
		s := newStore(t, plenty)
		for i := range 24 {
			q := selection.Query{Budget: int64(random.Intn(3000))}
			for range random.Intn(4) {
				q.Text += word() + " "
			}
			if i%2 == 1 {
				q.Ranking = selection.BM25
			}
			check(t, s, root, "c", q)
			if i == 3 {
				s.Settle()
			}
		}
	}
}

// Many ask at once, of several caches, and get what a scan gives.
func TestManyAtOnce(t *testing.T) {
	root := t.TempDir()
	want := map[string]string{}
	names := []string{"a", "b", "c", "absent", "broken"}
	for i, name := range names[:3] {
		some(20+i, name).Write(t, filepath.Join(root, name))
	}
	cachetest.Must(t, os.Mkdir(filepath.Join(root, "broken"), 0o755))
	for _, name := range names {
		for i, q := range queries {
			want[fmt.Sprint(name, i)] = scan(t.Context(), root, name, q)
		}
	}
	s := newStore(t, plenty)
	var clients sync.WaitGroup
	for client := range 8 {
		clients.Go(func() {
			for n := range 60 {
				name, i := names[(client+n)%len(names)], (client*3+n)%len(queries)
				if got := outcome(s.Resolve(t.Context(), root, name, queries[i])); got != want[fmt.Sprint(name, i)] {
					t.Errorf("%s, %+v (-scan +store):\n%s", name, queries[i], cmp.Diff(want[fmt.Sprint(name, i)], got))
				}
			}
		})
	}
	clients.Wait()
}

// The names of SEC-1 to SEC-6 mean for the store what they mean for a scan.
func TestNames(t *testing.T) {
	root := t.TempDir()
	some(5, "x").Write(t, filepath.Join(root, "cache"))
	some(6, "y").Write(t, filepath.Join(root, "team", "hand book"))
	some(7, "z").Write(t, filepath.Join(root, "a..b"))
	cachetest.Must(t, os.WriteFile(filepath.Join(root, "file"), nil, 0o644))
	s := newStore(t, plenty)
	for range 3 {
		for _, name := range []string{
			"cache", "./cache", "cache/", "team/hand book", "team//hand book/.", "", ".", "team", "absent", "file", "..", "../cache", "a..b", "/cache", `\cache`, "cache\x00", "cache/manifest.json",
		} {
			check(t, s, root, name, queries[3])
		}
		check(t, s, filepath.Join(root, "absent"), "cache", queries[3])
		check(t, s, filepath.Join(root, "team"), "hand book", queries[3])
		s.Settle()
	}
}

// LIM-7: whoever has no time left gets no answer, and spoils none.
func TestNoTimeLeft(t *testing.T) {
	root := t.TempDir()
	some(40, "x").Write(t, filepath.Join(root, "c"))
	s := newStore(t, plenty)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 3 {
		for _, q := range queries {
			if result, err := s.Resolve(ctx, root, "c", q); !errors.Is(err, context.Canceled) && (err != nil || q.Budget > 0) {
				t.Errorf("%+v: %v, %v", q, result, err)
			}
			check(t, s, root, "c", q)
		}
		s.Settle()
	}
}

// What the store was asked after it was closed is answered, too.
func TestClosedStore(t *testing.T) {
	root := t.TempDir()
	some(5, "x").Write(t, filepath.Join(root, "c"))
	s := resident.New(plenty)
	check(t, s, root, "c", queries[2])
	s.Close()
	for _, q := range queries {
		check(t, s, root, "c", q)
	}
	s.Close()
}
