package selection

import (
	"iter"
	"slices"

	"mcpworks/packs/contextengine/internal/document"
)

// A Ranking is a way to score documents. It has a version because its results
// never change.
type Ranking string

const (
	// TermFrequency is the share of a document's words that the query names.
	TermFrequency Ranking = "tf-v0"
	// BM25 also weighs how rare a term is and how long the document. Its words
	// are runs of letters and digits: punctuation does not belong to them.
	BM25 Ranking = "bm25-v1"
)

// ParseRanking returns the ranking of that name; "" is TermFrequency.
func ParseRanking(name string) (Ranking, bool) {
	switch r := Ranking(name); r {
	case "":
		return TermFrequency, true
	case TermFrequency, BM25:
		return r, true
	}
	return "", false
}

// A Query asks for documents.
type Query struct {
	Text    string
	Budget  int64   // in tokens, not negative
	Ranking Ranking // "" means TermFrequency
}

// A splitter walks the words of a text that is in lower case.
type splitter func(lowered string) iter.Seq[string]

// splitter returns what the ranking takes for words.
func (r Ranking) splitter() splitter {
	if r == BM25 {
		return plainWords
	}
	return document.Words
}

// A parsedQuery is a query with its terms.
type parsedQuery struct {
	Query
	terms    []string // as they stand in the query (SEL-3)
	distinct []string // each once, in order of first appearance
}

func parse(q Query) *parsedQuery {
	if q.Ranking == "" {
		q.Ranking = TermFrequency
	}
	p := &parsedQuery{Query: q, terms: slices.Collect(q.Ranking.splitter()(document.Lower(q.Text)))}
	seen := make(map[string]bool, len(p.terms))
	for _, term := range p.terms {
		if !seen[term] {
			seen[term] = true
			p.distinct = append(p.distinct, term)
		}
	}
	return p
}
