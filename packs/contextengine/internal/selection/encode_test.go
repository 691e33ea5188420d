package selection_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"mcpworks/packs/contextengine/internal/cachetest"
	"mcpworks/packs/contextengine/internal/selection"
)

// LIM-7: writing a result stops when nobody wants it any more, and one that is
// too long is not written to its end. The query comes with every document.
func TestEncodeStops(t *testing.T) {
	docs := cachetest.Docs{}
	for i := range 100 {
		docs[fmt.Sprintf("%03d", i)] = fmt.Sprint("deploy ", i)
	}
	query := selection.Query{Text: strings.Repeat("deploy ", 1000), Budget: math.MaxInt64}
	for _, ranking := range []selection.Ranking{selection.TermFrequency, selection.BM25} {
		query.Ranking = ranking
		result, err := selection.Scan(t.Context(), opened(t, docs), query)
		cachetest.Must(t, err)
		whole := result.AppendJSON(nil)
		if text, err := result.Encode(t.Context(), len(whole)); err != nil || string(text) != string(whole) {
			t.Errorf("Encode with just enough room: %d of %d bytes, %v", len(text), len(whole), err)
		}
		if text, err := result.Encode(t.Context(), len(whole)/2); !errors.Is(err, selection.ErrTooLong) {
			t.Errorf("Encode with half the room: %d bytes, %v", len(text), err)
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if text, err := result.Encode(ended, math.MaxInt); !errors.Is(err, context.Canceled) {
			t.Errorf("Encode for nobody: %d bytes, %v", len(text), err)
		}
	}
}

// A query of many terms takes memory for what it finds, not for what it names.
func TestManyTermsFewMatches(t *testing.T) {
	docs := cachetest.Docs{}
	for i := range 300 {
		docs[fmt.Sprintf("%03d", i)] = fmt.Sprint("deploy ", i)
	}
	c := opened(t, docs)
	var terms strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&terms, "deploy t%d ", i)
	}
	query := selection.Query{Text: terms.String(), Budget: 1, Ranking: selection.BM25}
	allocated := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			_, err := selection.Scan(t.Context(), c, query)
			cachetest.Must(t, err)
		}
	}).AllocedBytesPerOp()
	if most := int64(24 << 20); allocated > most { // one number for each term and document would be as much again
		t.Errorf("%d bytes were allocated, more than %d", allocated, most)
	}
}
