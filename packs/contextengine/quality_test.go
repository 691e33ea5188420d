package contextengine_test

import (
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"mcpworks/packs/contextengine"
	"mcpworks/packs/contextengine/sample"
)

// 17.4: quality is measured, on the judged queries of the sample, and bm25-v1
// has to be better than tf-v0.
func TestBM25RanksBetterThanTermFrequency(t *testing.T) {
	sources, cache := filepath.Join(t.TempDir(), "docs"), filepath.Join(t.TempDir(), "cache")
	if err := sample.Write(sources); err != nil {
		t.Fatal(err)
	}
	if _, err := contextengine.Build(t.Context(), contextengine.BuildOptions{Sources: sources, Cache: cache, CreatedAt: time.Unix(0, 0).UTC()}); err != nil {
		t.Fatal(err)
	}
	before, after := judge(t, cache, "tf-v0"), judge(t, cache, "bm25-v1")
	t.Logf("tf-v0: nDCG %.3f, recall %.3f; bm25-v1: nDCG %.3f, recall %.3f", before.gain, before.recall, after.gain, after.recall)
	if after.gain <= before.gain || after.recall <= before.recall {
		t.Error("bm25-v1 is not better")
	}
}

// A quality is an average over all judged queries.
type quality struct {
	gain   float64 // nDCG of what was selected
	recall float64 // share of the relevant documents that was selected
}

func judge(t *testing.T, cache, ranking string) (q quality) {
	queries, err := sample.Judged()
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range queries {
		text, err := contextengine.Resolve(t.Context(), cache, contextengine.Query{Text: query.Text, Budget: int64(query.Budget), Ranking: ranking})
		if err != nil {
			t.Fatal(err)
		}
		var result struct{ Documents []struct{ ID string } }
		if err := json.Unmarshal(text, &result); err != nil {
			t.Fatal(err)
		}
		var grades, ideal []int
		found := 0
		for _, d := range result.Documents {
			grade := query.Relevant[d.ID]
			grades = append(grades, grade)
			if grade > 0 {
				found++
			}
		}
		for _, grade := range query.Relevant {
			ideal = append(ideal, grade)
		}
		slices.SortFunc(ideal, func(a, b int) int { return b - a })
		q.gain += discounted(grades) / discounted(ideal) / float64(len(queries))
		q.recall += float64(found) / float64(len(query.Relevant)) / float64(len(queries))
	}
	return q
}

// discounted is the cumulative gain of documents with these grades, best first.
func discounted(grades []int) (sum float64) {
	for i, grade := range grades {
		sum += (math.Exp2(float64(grade)) - 1) / math.Log2(float64(i+2))
	}
	return sum
}
