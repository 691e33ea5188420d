package selection_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/cachetest"
	"mcpworks/packs/contextengine/internal/selection"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// opened writes a cache and opens it.
func opened(t *testing.T, docs cachetest.Docs) *cache.Cache {
	t.Helper()
	dir := t.TempDir()
	docs.Write(t, dir)
	c, err := cache.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// An answer, as any reader of JSON sees it.
type answer struct {
	Documents []struct {
		ID, Version, Content string
		Score                json.Number
		Tokens               int64
		Why                  struct {
			QueryTerms  []string `json:"query_terms"`
			TermMatches int64    `json:"term_matches"`
			TotalWords  int64    `json:"total_words"`
		}
	}
	Selection struct {
		Query      string
		Budget     int64
		Used       int64 `json:"tokens_used"`
		Considered int   `json:"documents_considered"`
		Selected   int   `json:"documents_selected"`
		Excluded   int   `json:"documents_excluded_by_budget"`
		Ranking    string
	}
}

func ask(t *testing.T, c *cache.Cache, q selection.Query) (a answer, text string) {
	t.Helper()
	result, err := selection.Scan(t.Context(), c, q)
	if err != nil {
		t.Fatal(err)
	}
	text = string(result.AppendJSON(nil))
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return a, text
}

func (a answer) ids() (ids []string) {
	for _, d := range a.Documents {
		ids = append(ids, d.ID)
	}
	return ids
}

// One rule at a time, with what a person would expect.
func TestRules(t *testing.T) {
	walk := cachetest.Docs{"a.md": "a", "b.md": "a bbbb", "c.md": "c"}
	for _, tt := range []struct {
		rule   string
		docs   cachetest.Docs
		query  string
		budget int64
		ids    []string
		scores []json.Number
		terms  []string
	}{
		{"SEL-13 section 16", walk, "a", 2, []string{"a.md", "c.md"}, []json.Number{"1.0", "0.0"}, []string{"a"}},
		{"SEL-13 exactly enough", walk, "a", 4, []string{"a.md", "b.md", "c.md"}, []json.Number{"1.0", "0.5", "0.0"}, []string{"a"}},
		{"SEL-13 one too few", walk, "a", 3, []string{"a.md", "b.md"}, []json.Number{"1.0", "0.5"}, []string{"a"}},
		{"SEL-15 X-19 nothing for nothing", cachetest.Docs{"empty.md": "", "a.md": "a"}, "a", 0, nil, nil, nil},
		{"SEL-12 SEL-14 an empty document fits one", cachetest.Docs{"empty.md": "", "long.md": "aaaaa"}, "z", 1, []string{"empty.md"}, []json.Number{"0.0"}, []string{"z"}},
		{"SEL-16 the largest budget", walk, "c", math.MaxInt64, []string{"c.md", "a.md", "b.md"}, []json.Number{"1.0", "0.0", "0.0"}, []string{"c"}},
		{"SEL-6 X-20 a repeated term counts once", cachetest.Docs{"a.md": "a a b"}, "a A a", 9, []string{"a.md"}, []json.Number{"0.6666667"}, []string{"a", "a", "a"}},
		{"SEL-3 no terms", walk, " \u3000", 9, []string{"a.md", "b.md", "c.md"}, []json.Number{"0.0", "0.0", "0.0"}, []string{}},
		{"SEL-4 punctuation stays", cachetest.Docs{"a.md": "guide.", "b.md": "guide"}, "guide", 9, []string{"b.md", "a.md"}, []json.Number{"1.0", "0.0"}, []string{"guide"}},
		{"SEL-2 final sigma", cachetest.Docs{"a.md": "ΟΔΟΣ", "b.md": "οδοσ"}, "οδος", 9, []string{"a.md", "b.md"}, []json.Number{"1.0", "0.0"}, []string{"οδος"}},
		{"SEL-2 dotted capital I", cachetest.Docs{"a.md": "İx"}, "i\u0307X", 9, []string{"a.md"}, []json.Number{"1.0"}, []string{"i\u0307x"}},
		{"SEL-1 no break space divides", cachetest.Docs{"a.md": "x\u00a0y"}, "x", 9, []string{"a.md"}, []json.Number{"0.5"}, []string{"x"}},
		{"SEL-1 zero width space does not", cachetest.Docs{"a.md": "x\u200by"}, "x", 9, []string{"a.md"}, []json.Number{"0.0"}, []string{"x"}},
		{"SEL-10 bytes order ties", cachetest.Docs{"a": "x 1", "B": "x 2", "é": "x 3", "😀": "x 4", "\uffff": "x 5"}, "x", 99, []string{"B", "a", "é", "\uffff", "😀"}, []json.Number{"0.5", "0.5", "0.5", "0.5", "0.5"}, []string{"x"}},
		{"SEL-10 ties of unequal fractions", cachetest.Docs{"b": "x y", "a": "x x y z"}, "x", 99, []string{"a", "b"}, []json.Number{"0.5", "0.5"}, []string{"x"}},
		{"SEL-18 CACHE-12 a cache of nothing", cachetest.Docs{}, "x", 9, nil, nil, nil},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			got, text := ask(t, opened(t, tt.docs), selection.Query{Text: tt.query, Budget: tt.budget})
			if diff := cmp.Diff(tt.ids, got.ids()); diff != "" {
				t.Errorf("ids (-want +got):\n%s", diff)
			}
			for i, d := range got.Documents {
				if diff := cmp.Diff(tt.terms, d.Why.QueryTerms); diff != "" || d.Score != tt.scores[i] {
					t.Errorf("%s has score %s, want %s; terms (-want +got):\n%s", d.ID, d.Score, tt.scores[i], diff)
				}
			}
			if s := got.Selection; s.Query != tt.query || s.Budget != tt.budget || s.Considered != len(tt.docs) {
				t.Errorf("selection %+v", s)
			}
			if strings.Contains(text, "null") || strings.Contains(text, "ranking") {
				t.Errorf("SEL-18, SEL-22: %s", text)
			}
		})
	}
}

// SEL-8, SEL-17, SEL-21 and DOC-13, for both rankings.
func TestInvariants(t *testing.T) {
	root := t.TempDir()
	runs := 0
	rapid.Check(t, func(r *rapid.T) {
		docs := drawDocs(r)
		runs++
		dir := filepath.Join(root, fmt.Sprint(runs))
		docs.Write(r, dir)
		c, err := cache.Open(dir)
		cachetest.Must(r, err)
		defer c.Close()
		q := drawQuery(r, docs)
		got, text := ask(t, c, q)
		used, last := int64(0), math.Inf(1)
		for _, d := range got.Documents {
			score, err := d.Score.Float64()
			cachetest.Must(r, err)
			if score < 0 || q.Ranking != selection.BM25 && score > 1 {
				r.Errorf("SEL-8: score %s", d.Score)
			}
			if score > last {
				r.Errorf("SEL-10: score %s after %g", d.Score, last)
			}
			if d.Content != docs[d.ID] || d.Version != cachetest.Version(d.Content) || d.Tokens != int64(len(d.Content)+3)/4 {
				r.Errorf("DOC-13, SEL-12: %+v", d)
			}
			if d.Why.TermMatches > d.Why.TotalWords {
				r.Errorf("SEL-6: %+v", d.Why)
			}
			used, last = used+d.Tokens, score
		}
		s := got.Selection
		if s.Used != used || used > q.Budget {
			r.Errorf("SEL-17: tokens_used is %d, the sum %d, the budget %d", s.Used, used, q.Budget)
		}
		if s.Selected+s.Excluded != s.Considered || s.Considered != len(docs) || s.Selected != len(got.Documents) {
			r.Errorf("SEL-21: %+v", s)
		}
		if _, again := ask(t, c, q); again != text {
			r.Errorf("DET-2: asked again (-first +second):\n%s", cmp.Diff(text, again))
		}
		if wantRanking := q.Ranking == selection.BM25; (s.Ranking == "bm25-v1") != wantRanking || !wantRanking && s.Ranking != "" {
			r.Errorf("17.4: ranking %q", s.Ranking)
		}
	})
}

// DOC-12 and CACHE-13: metadata, source, index, stray files and the time change
// nothing of an answer (DET-2, DET-3).
func TestWhatDoesNotMatter(t *testing.T) {
	docs := cachetest.Docs{"a.md": "alpha beta", "b.md": "beta gamma"}
	plain, odd := t.TempDir(), t.TempDir()
	docs.Write(t, plain)
	docs.Write(t, odd)
	text := strings.NewReplacer(`"source":"a.md"`, `"source":"Z.md"`, `"metadata":{}`, `"metadata":{"beta":9,"title":"beta beta"}`).
		Replace(string(cachetest.Document("a.md", docs["a.md"])))
	cachetest.Must(t, os.WriteFile(filepath.Join(odd, cachetest.File(docs["a.md"])), []byte(text), 0o600))
	cachetest.Must(t, os.WriteFile(filepath.Join(odd, "documents", "stray.json"), []byte("beta"), 0o600))
	cachetest.Must(t, os.Remove(filepath.Join(odd, "index.json")))
	manifest := strings.Replace(string(docs.Manifest()), cachetest.CreatedAt, "2031-01-01T00:00:00.5Z", 1)
	cachetest.Must(t, os.WriteFile(filepath.Join(odd, "manifest.json"), []byte(manifest), 0o600))
	for _, ranking := range []selection.Ranking{"", selection.BM25} {
		var texts []string
		for _, dir := range []string{plain, odd} {
			c, err := cache.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			_, text := ask(t, c, selection.Query{Text: "beta gamma", Budget: 100, Ranking: ranking})
			texts = append(texts, text)
		}
		if diff := cmp.Diff(texts[0], texts[1]); diff != "" {
			t.Errorf("%s (-plain +odd):\n%s", ranking, diff)
		}
	}
}

func TestParseRanking(t *testing.T) {
	for name, want := range map[string]selection.Ranking{"": selection.TermFrequency, "tf-v0": selection.TermFrequency, "bm25-v1": selection.BM25} {
		if got, ok := selection.ParseRanking(name); got != want || !ok {
			t.Errorf("ParseRanking(%q) = %q, %v", name, got, ok)
		}
	}
	for _, name := range []string{"tf", "TF-V0", "bm25", "bm25-v2", " tf-v0"} {
		if got, ok := selection.ParseRanking(name); ok || got != "" {
			t.Errorf("ParseRanking(%q) = %q, %v", name, got, ok)
		}
	}
}

// What is wrong with a cache is the error of every way to ask it.
func TestErrorsOfTheCache(t *testing.T) {
	dir := t.TempDir()
	docs := cachetest.Docs{"a.md": "alpha", "b.md": "beta"}
	docs.Write(t, dir)
	c, err := cache.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ix, err := selection.BuildIndex(t.Context(), c, selection.TermFrequency, 64<<20)
	if err != nil {
		t.Fatal(err)
	}
	cachetest.Must(t, os.WriteFile(filepath.Join(dir, cachetest.File("beta")), []byte("{}"), 0o644))
	q := selection.Query{Text: "alpha", Budget: 100}
	if _, err := selection.Scan(t.Context(), c, q); !errors.Is(err, cache.ErrInvalid) {
		t.Errorf("Scan: %v", err)
	}
	if _, err := selection.BuildIndex(t.Context(), c, selection.BM25, 64<<20); !errors.Is(err, cache.ErrInvalid) {
		t.Errorf("BuildIndex: %v", err)
	}
	if _, err := ix.Select(t.Context(), c, q); !errors.Is(err, cache.ErrInvalid) {
		t.Errorf("Select, which has to read the damaged one: %v", err)
	}
	if _, err := ix.Select(t.Context(), c, selection.Query{Text: "alpha", Budget: 2}); err != nil {
		t.Errorf("Select, which has room for the other one only: %v", err)
	}
}

// LIM-7.
func TestNoTimeLeft(t *testing.T) {
	c := opened(t, cachetest.Docs{"a.md": "alpha", "b.md": "beta"})
	ix, err := selection.BuildIndex(t.Context(), c, selection.TermFrequency, 64<<20)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	q := selection.Query{Text: "alpha", Budget: 100}
	if _, err := selection.Scan(ctx, c, q); !errors.Is(err, context.Canceled) {
		t.Errorf("Scan: %v", err)
	}
	if _, err := selection.BuildIndex(ctx, c, selection.TermFrequency, 64<<20); !errors.Is(err, context.Canceled) {
		t.Errorf("BuildIndex: %v", err)
	}
	if _, err := ix.Select(ctx, c, q); !errors.Is(err, context.Canceled) {
		t.Errorf("Select: %v", err)
	}
}

// An index takes the memory it was given, or as much as the text.
func TestIndexThatIsTooLarge(t *testing.T) {
	var text strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&text, "w%d ", i)
	}
	c := opened(t, cachetest.Docs{"a.md": text.String()})
	if _, err := selection.BuildIndex(t.Context(), c, selection.TermFrequency, 1<<20); !errors.Is(err, selection.ErrTooLarge) {
		t.Errorf("60,000 words in one MiB: %v", err)
	}
	ix, err := selection.BuildIndex(t.Context(), c, selection.TermFrequency, 64<<20)
	if err != nil || ix.Size() < 60_000*16 || ix.Size() > 64<<20 {
		t.Errorf("60,000 words in 64 MiB: %v", err)
	}
	c = opened(t, cachetest.Docs{"a.md": strings.Repeat("same word ", 200_000)})
	if ix, err := selection.BuildIndex(t.Context(), c, selection.TermFrequency, 1); err != nil || ix.Size() > 2_000_000 {
		t.Errorf("two words in two million bytes: %v", err)
	}
}
