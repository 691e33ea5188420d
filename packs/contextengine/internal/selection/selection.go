// Package selection answers which documents of a cache, in which order, fit a
// query and a budget of tokens.
//
// A query goes through it in the order of its files: its terms (query.go) are
// found in the documents, by reading all of them (scan.go) or in an [Index]
// (index.go); what was found gives each document a score (rank.go), the budget
// is filled from the best down (budget.go), and the contents of those that were
// taken are read and written out (result.go). Both ways give the same bytes.
package selection

import (
	"context"

	"mcpworks/packs/contextengine/internal/cache"
)

// An occurrence says how often a document has a term.
type occurrence struct{ document, times uint32 }

// A corpus is what ranking knows of all documents of a cache, in byte order of
// their ids.
type corpus struct {
	words []uint32 // how many each has
	sizes sizes    // in tokens
	total uint64   // words of all
}

// choose ranks the documents in which terms were found and fills the budget.
// The occurrences are those of each distinct term of the query.
func choose(ctx context.Context, c *cache.Cache, q *parsedQuery, docs *corpus, found [][]occurrence) (*Result, error) {
	ranked := rank(q, docs, found)
	picks, used := fill(docs.sizes, &ranked, q.Budget)
	r := &Result{
		query: q, picks: picks, used: used, considered: len(docs.words),
		frequencies: make([]int, len(found)),
	}
	for i, occurrences := range found {
		r.frequencies[i] = len(occurrences)
	}
	for i := range picks {
		picks[i].words = docs.words[picks[i].document]
	}
	if q.Ranking == BM25 {
		explain(picks, len(docs.words), found)
	}
	return r, r.read(ctx, c)
}
