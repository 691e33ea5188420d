package selection

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A dictionary against a map, also after it forgot all.
func TestDictionary(t *testing.T) {
	words := rapid.OneOf(rapid.String(), rapid.Map(rapid.IntRange(0, 30), func(i int) string { return fmt.Sprint(i) }))
	rapid.Check(t, func(t *rapid.T) {
		d := newDictionary(4)
		for range 2 {
			model := map[string]uint32{}
			for _, word := range rapid.SliceOfN(words, 0, 60).Draw(t, "words") {
				want, known := model[word]
				if !known {
					want = uint32(len(model))
					model[word] = want
				}
				// A few hashes, so that many words share one.
				if n, isNew := d.number([]byte(word), uint32(len(word)%3)); n != want || isNew == known {
					t.Fatalf("%q is %d, new: %v; want %d", word, n, isNew, want)
				}
			}
			for word, want := range model {
				if n, _, ok := d.find([]byte(word), uint32(len(word)%3)); !ok || n != want || string(d.word(n)) != word {
					t.Fatalf("%q is %d, %v; want %d", word, n, ok, want)
				}
			}
			if _, _, ok := d.find([]byte("not one of them at all"), 1); ok || d.len() != len(model) {
				t.Fatalf("%d words, want %d; an unknown one is known: %v", d.len(), len(model), ok)
			}
			d.reset()
		}
	})
}

// No text can hold what stands for a long word.
func TestKeyOfLongWords(t *testing.T) {
	if short := strings.Repeat("a", maxWord); key(short) != short {
		t.Errorf("%q stands for %q", key(short), short)
	}
	a, b := key(strings.Repeat("a", maxWord+1)), key(strings.Repeat("a", maxWord+2))
	if a == b || len(a) > maxWord || strings.ToValidUTF8(a, "") == a {
		t.Errorf("%q and %q", a, b)
	}
}
