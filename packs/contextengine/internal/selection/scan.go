package selection

import (
	"context"
	"unsafe"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/document"
)

// Scan answers a query by reading every document of the cache once.
func Scan(ctx context.Context, c *cache.Cache, q Query) (*Result, error) {
	parsed := parse(q)
	s := newScan(parsed, len(c.Manifest().Entries))
	if err := c.Each(ctx, len(s.workers), s.visit); err != nil {
		return nil, err
	}
	docs, found := s.finish()
	return choose(ctx, c, parsed, docs, found)
}

// A scan looks for the terms of one query in every document.
type scan struct {
	split   splitter
	terms   map[string]int
	words   []uint32
	tokens  []uint32
	workers []scanWorker
}

// A scanWorker is what one worker found.
type scanWorker struct {
	lower
	times []uint32 // of each term, in the document at hand
	found [][]occurrence
	total uint64
}

func newScan(q *parsedQuery, documents int) *scan {
	s := &scan{
		split: q.Ranking.splitter(), terms: make(map[string]int, len(q.distinct)),
		words: make([]uint32, documents), tokens: make([]uint32, documents),
		workers: make([]scanWorker, cache.Workers()),
	}
	for i, term := range q.distinct {
		s.terms[term] = i
	}
	for i := range s.workers {
		s.workers[i].times = make([]uint32, len(q.distinct))
		s.workers[i].found = make([][]occurrence, len(q.distinct))
	}
	return s
}

// visit counts the words of a document and those that are terms (SEL-5, SEL-6).
func (s *scan) visit(worker, i int, d *document.Document) {
	w := &s.workers[worker]
	words := uint32(0)
	for word := range s.split(w.of(d.Content)) {
		words++
		if term, ok := s.terms[word]; ok {
			w.times[term]++
		}
	}
	for term, times := range w.times {
		if times > 0 {
			w.found[term] = append(w.found[term], occurrence{uint32(i), times})
			w.times[term] = 0
		}
	}
	s.words[i], s.tokens[i] = words, uint32(document.Tokens(d.Content))
	w.total += uint64(words)
}

// finish puts together what the workers found.
func (s *scan) finish() (*corpus, [][]occurrence) {
	docs := &corpus{words: s.words, sizes: newSizes(s.tokens)}
	found := s.workers[0].found
	for i := range s.workers {
		docs.total += s.workers[i].total
		if i == 0 {
			continue
		}
		for term, occurrences := range s.workers[i].found {
			found[term] = append(found[term], occurrences...)
		}
	}
	return docs, found
}

// A lower makes lower case in the same memory again and again.
type lower struct{ buffer []byte }

// of returns the text in lower case; it holds until the next call.
func (l *lower) of(text string) string {
	l.buffer = document.AppendLower(l.buffer[:0], text)
	return unsafe.String(unsafe.SliceData(l.buffer), len(l.buffer))
}
