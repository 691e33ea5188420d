package selection_test

import (
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/cachetest"
	"mcpworks/packs/contextengine/internal/selection"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// vocabulary is chosen for what words can be: in all cases, with punctuation, in
// several scripts, as long as the index keeps them and longer.
var vocabulary = []string{
	"deploy", "Deploy", "DEPLOY", "deploy.", "guide", "guide.", "(guide)", "a", "A", "the", "x1", "1", "1.5", "don't", "e-mail", "C++", "&", "<b>",
	"ΟΔΟΣ", "οδος", "οδοσ", "Σ", "ΑΣ.", "ΑΣ'Β", "İ", "i\u0307", "ß", "ẞ", "é", "e\u0301", "É", "ǅ", "日本語", "日", "ひらがな", "カタカナ", "テスト", "한국어", "भाषा",
	"\u200b", "a\u200bb", "\ufeff", "\x1c", "\x00", "😀", "👩‍💻", "\u0301", "\"\\", "١٢٣", "Ⅷ", "x²", "_", "snake_case", "\ufffd",
	strings.Repeat("w", 63), strings.Repeat("w", 64), strings.Repeat("w", 65), strings.Repeat("W", 65), strings.Repeat("日", 22), strings.Repeat("é", 300), strings.Repeat("İ", 40),
}

var spaces = []string{" ", " ", " ", "\n", "\t", "\r\n", "\u00a0", "\u3000", "\u2028", "\u0085", "  ", "\u1680\u205f", "", ",", "-"}

func drawText(t *rapid.T, label string, most int) string {
	var b strings.Builder
	for range rapid.IntRange(0, most).Draw(t, label+" words") {
		if rapid.IntRange(0, 19).Draw(t, "strange") == 0 {
			b.WriteString(rapid.String().Draw(t, label+" word"))
		} else {
			b.WriteString(rapid.SampledFrom(vocabulary).Draw(t, label+" word"))
		}
		b.WriteString(rapid.SampledFrom(spaces).Draw(t, label+" space"))
	}
	return b.String()
}

var documentCount = rapid.OneOf(rapid.IntRange(0, 4), rapid.IntRange(0, 12), rapid.IntRange(30, 40))

// drawDocs makes a corpus of documents that are all different.
func drawDocs(t *rapid.T) cachetest.Docs {
	docs, contents := cachetest.Docs{}, map[string]bool{}
	for i := range documentCount.Draw(t, "documents") {
		content := drawText(t, "content", 12)
		if contents[content] {
			content += fmt.Sprint(i)
		}
		if contents[content] {
			continue
		}
		contents[content] = true
		docs[rapid.SampledFrom([]string{"a/", "B/", "é", "", "😀"}).Draw(t, "folder")+fmt.Sprintf("%d.md", rapid.IntRange(0, 50).Draw(t, "name"))] = content
	}
	return docs
}

func drawBudget(t *rapid.T, docs cachetest.Docs) int64 {
	var sum int64
	for _, content := range docs {
		sum += int64(len(content)+3) / 4
	}
	part := rapid.Int64Range(0, sum).Draw(t, "part")
	return rapid.SampledFrom([]int64{0, 1, 2, 3, 5, part, part, part, sum, max(sum-1, 0), sum + 1, math.MaxInt64, math.MaxInt64 - 1}).Draw(t, "budget")
}

func drawQuery(t *rapid.T, docs cachetest.Docs) selection.Query {
	q := selection.Query{Text: drawText(t, "query", 5), Budget: drawBudget(t, docs)}
	switch rapid.IntRange(0, 9).Draw(t, "query kind") {
	case 0:
		q.Text = rapid.SampledFrom([]string{"", " ", "\u3000\n", "\u200b", "...", "absent"}).Draw(t, "query")
	case 1:
		q.Text += " " + q.Text // terms that are repeated
	}
	q.Ranking = rapid.SampledFrom([]selection.Ranking{"", selection.TermFrequency, selection.BM25}).Draw(t, "ranking")
	return q
}

// want is what the engine of naive_test.go answers.
func want(docs cachetest.Docs, q selection.Query) (string, bool) {
	if q.Ranking == selection.BM25 {
		return naiveBM25(docs, q.Text, q.Budget)
	}
	return naive(docs, q.Text, q.Budget), true
}

// checkAnswers asks the same of a scan and of indexes, and holds all to want.
func checkAnswers(t interface {
	cachetest.TB
	Errorf(string, ...any)
}, tt *testing.T, c *cache.Cache, docs cachetest.Docs, queries ...selection.Query) {
	t.Helper()
	indexes := map[selection.Ranking]*selection.Index{}
	for _, ranking := range []selection.Ranking{selection.TermFrequency, selection.BM25} {
		ix, err := selection.BuildIndex(tt.Context(), c, ranking, 64<<20)
		cachetest.Must(t, err)
		indexes[ranking] = ix
	}
	indexes[""] = indexes[selection.TermFrequency]
	for _, q := range queries {
		result, err := selection.Scan(tt.Context(), c, q)
		cachetest.Must(t, err)
		scanned := string(result.AppendJSON(nil))
		expected, certain := want(docs, q)
		if certain && scanned != expected {
			t.Errorf("%+v (-want +scan):\n%s", q, cmp.Diff(expected, scanned))
		}
		result, err = indexes[q.Ranking].Select(tt.Context(), c, q)
		cachetest.Must(t, err)
		if indexed := string(result.AppendJSON(nil)); indexed != scanned {
			t.Errorf("%+v (-scan +index):\n%s", q, cmp.Diff(scanned, indexed))
		}
	}
}

// Section 7 and 17.4: scans and indexes answer as the contract's text does.
func TestAnswersAreThoseOfTheContract(t *testing.T) {
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
		var queries []selection.Query
		for range 6 {
			queries = append(queries, drawQuery(r, docs))
		}
		checkAnswers(r, t, c, docs, queries...)
	})
}

// DET-2, DET-3: the number of cores changes nothing.
func TestCoresChangeNothing(t *testing.T) {
	docs := cachetest.Docs{}
	for i := range 300 {
		docs[fmt.Sprintf("%03d.md", i)] = fmt.Sprintf("word%d deploy %s guide%d. ΟΔΟΣ", i%7, strings.Repeat("deploy the ", i%11), i)
	}
	dir := t.TempDir()
	docs.Write(t, dir)
	c, err := cache.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var queries []selection.Query
	for _, text := range []string{"deploy", "word3 the deploy the", "guide17", "", "absent", "οδος word1"} {
		for _, budget := range []int64{0, 100, 3000, math.MaxInt64} {
			queries = append(queries, selection.Query{Text: text, Budget: budget}, selection.Query{Text: text, Budget: budget, Ranking: selection.BM25})
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, cores := range []int{1, 8} {
		runtime.GOMAXPROCS(cores)
		checkAnswers(t, t, c, docs, queries...)
	}
}
