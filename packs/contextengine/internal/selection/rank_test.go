package selection

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Documents with a number are known, in a table as in a map.
func TestNumbers(t *testing.T) {
	for _, expected := range []int{0, 1, 3, 4, 100} {
		n := newNumbers(1000, expected)
		if (n.dense != nil) != (expected > 3) {
			t.Errorf("expecting %d of 1000: dense is %v", expected, n.dense != nil)
		}
		n.set(42, 7)
		if n.get(42) != 7 || n.get(41) != 0 {
			t.Errorf("expecting %d: %d, %d", expected, n.get(42), n.get(41))
		}
	}
}

// 17.4: the logarithm is right to the last digits that are asked of it, and
// grows as it should.
func TestLogarithm(t *testing.T) {
	if got := logarithm(1); got != 0 {
		t.Errorf("ln 1 = %g", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.OneOf(rapid.Float64Range(1, 1.001), rapid.Float64Range(1, 4), rapid.Float64Range(1, 1e10)).Draw(t, "x")
		got, want := logarithm(x), math.Log(x)
		if math.Abs(got-want) > 4e-16+4e-15*want {
			t.Errorf("ln %v = %v, want %v", x, got, want)
		}
	})
	last := 0.0
	for df := 1_000_000; df > 0; df -= 997 {
		weight := logarithm(1 + (1_000_000-float64(df)+0.5)/(float64(df)+0.5))
		if weight < last {
			t.Fatalf("a word of %d documents weighs %g, less than a more frequent one", df, weight)
		}
		last = weight
	}
}

// SEL-7: two numbers made single precision, then one division. The last ones
// differ if it is done otherwise.
func TestTermFrequency(t *testing.T) {
	for _, tt := range []struct {
		matches, words uint32
		want           float32
	}{
		{0, 5, 0}, {1, 1, 1}, {1, 3, 0.33333334}, {2, 3, 0.6666667}, {3, 4, 0.75}, {5, 9, 0.5555556}, {99, 100, 0.99},
		{1, 1_000_001, 9.99999e-7}, {1, 16_777_217, 5.9604645e-8}, {16_777_217, 33_554_435, 0.49999994},
	} {
		p := pick{matches: tt.matches, words: tt.words}
		if termFrequency(&p); float32(p.score) != tt.want {
			t.Errorf("%d of %d: %v, want %v", tt.matches, tt.words, p.score, tt.want)
		}
	}
}

// 17.4: a score may be rounded to nothing. Such a document comes with those that
// have no term, by id, and still knows what was found in it.
func TestScoreThatRoundsToNothing(t *testing.T) {
	const documents, long, without, also = 4000, 700, 800, 900
	docs := corpus{words: slices.Repeat([]uint32{2}, documents), sizes: newSizes(make([]uint32, documents))}
	docs.words[long], docs.words[also] = 1_000_000, 1_000_000
	found := make([][]occurrence, 1)
	for i, words := range docs.words {
		docs.total += uint64(words)
		if i != without {
			found[0] = append(found[0], occurrence{uint32(i), 1})
		}
	}
	r := rank(parse(Query{Text: "the", Budget: 1, Ranking: BM25}), &docs, found)
	picks, _ := fill(docs.sizes, &r, 1)
	explain(picks, documents, found)
	if len(picks) != documents {
		t.Fatalf("%d documents", len(picks))
	}
	for i, p := range picks[:documents-3] {
		if p.score <= 0 || p.matches != 1 || i > 0 && p.document <= picks[i-1].document {
			t.Fatalf("the one in place %d is %+v", i, p)
		}
	}
	for i, want := range []pick{{document: long, matches: 1}, {document: without}, {document: also, matches: 1}} {
		got := picks[documents-3+i]
		if got.document != want.document || got.matches != want.matches || got.score != 0 || len(got.terms) != int(want.matches) {
			t.Errorf("in place %d from the end is %+v, want %+v", i, got, want)
		}
	}
}
