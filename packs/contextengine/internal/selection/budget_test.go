package selection

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// next finds what a search one by one would.
func TestSizesNext(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		largest := rapid.SampledFrom([]uint32{0, 1, 3, 100, math.MaxUint32}).Draw(t, "largest")
		tokens := rapid.SliceOfN(rapid.Uint32Range(0, largest), 0, 70).Draw(t, "tokens")
		s := newSizes(slices.Clone(tokens))
		for from := range len(tokens) + 1 {
			for _, most := range []int64{0, 1, 2, int64(largest) - 1, int64(largest), rapid.Int64Range(-1, int64(largest)+1).Draw(t, "most"), math.MaxInt64} {
				want := from
				for want < len(tokens) && int64(tokens[want]) > most {
					want++
				}
				if got := s.next(from, most); got != want {
					t.Fatalf("next(%d, %d) = %d, want %d in %v", from, most, got, want, tokens)
				}
			}
		}
	})
}

// Every number of documents up to some, with the one small enough at each place.
func TestSizesNextFindsEveryPlace(t *testing.T) {
	for n := range 130 {
		tokens := slices.Repeat([]uint32{9}, n)
		for place := range n {
			tokens[place] = 4
			s := newSizes(tokens)
			for from := range n + 1 {
				want := place
				if from > place {
					want = n
				}
				if got := s.next(from, 5); got != want {
					t.Fatalf("of %d, from %d, the one at %d was found at %d", n, from, place, got)
				}
			}
			tokens[place] = 9
		}
	}
}
