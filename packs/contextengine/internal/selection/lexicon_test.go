package selection

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestOccurrencesAreReadAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		documents := rapid.OneOf(rapid.Uint32Max(5), rapid.Uint32(), rapid.Just(uint32(math.MaxUint32)))
		before := documents.Draw(t, "before")
		want := occurrence{documents.Draw(t, "document"), rapid.OneOf(rapid.Uint32Range(1, 3), rapid.Uint32Range(1, math.MaxUint32)).Draw(t, "times")}
		encoded := append(appendOccurrence(nil, want, before), "rest"...)
		if got, rest := decodeOccurrence(encoded, before); got != want || string(rest) != "rest" {
			t.Errorf("%v after %d is read as %v, and %q follows", want, before, got, rest)
		}
	})
}

// A lexicon, added to word by word, against a map.
func TestLexicon(t *testing.T) {
	texts := rapid.OneOf(rapid.StringN(0, 10, -1), rapid.Map(rapid.IntRange(0, 2000), func(i int) string { return fmt.Sprint("w", i) }),
		rapid.Map(rapid.IntRange(60, 70), func(n int) string { return strings.Repeat("w", n) }))
	rapid.Check(t, func(t *rapid.T) {
		growing, model := newGrowingLexicon(), map[string][]occurrence{}
		words := rapid.SliceOfNDistinct(texts, 1, 20, rapid.ID).Draw(t, "words")
		for range rapid.IntRange(0, 40).Draw(t, "additions") {
			word := rapid.SampledFrom(words).Draw(t, "word")
			added := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) occurrence {
				return occurrence{rapid.OneOf(rapid.Uint32Max(20), rapid.Uint32()).Draw(t, "document"), rapid.OneOf(rapid.Just(uint32(1)), rapid.Uint32Min(1)).Draw(t, "times")}
			}), 1, 5).Draw(t, "occurrences")
			growing.add([]byte(key(word)), hashOf(key(word)), added)
			model[word] = append(model[word], added...)
		}
		complete := growing.finish()
		for _, word := range words {
			if got := complete.find(word); !slices.Equal(got, model[word]) {
				t.Fatalf("%q: %v, want %v", word, got, model[word])
			}
		}
		if got := complete.find("not one of them at all"); got != nil || growing.isFull {
			t.Errorf("an unknown word was found: %v", got)
		}
	})
}

// Documents that come in chunks, in any order, are all found again.
func TestChunks(t *testing.T) {
	growing, model := newGrowingLexicon(), map[string][]occurrence{}
	chunks := []chunk{newChunk(), newChunk(), newChunk()}
	const documents = 900
	for i := range documents {
		document := uint32((i * 7919) % documents)
		var content strings.Builder
		times := map[string]uint32{}
		for w := range 30 + i%50 {
			word := fmt.Sprint("w", (w*w+i)%(500+i))
			if w%7 == 0 {
				word += strings.Repeat("x", maxWord)
			}
			fmt.Fprint(&content, strings.ToUpper(word), " ")
			times[word]++
		}
		c := &chunks[i%len(chunks)]
		if words := c.add(document, content.String(), TermFrequency.splitter()); words != uint32(30+i%50) {
			t.Fatalf("%d words of document %d", words, document)
		}
		for word, n := range times {
			model[word] = append(model[word], occurrence{document, n})
		}
		if i%100 == 99 {
			c.flush(growing.add)
		}
	}
	for i := range chunks {
		chunks[i].flush(growing.add)
		chunks[i].flush(growing.add) // nothing is left
	}
	complete := growing.finish()
	byDocument := func(a, b occurrence) int { return cmp.Compare(a.document, b.document) }
	for word, want := range model {
		got := complete.find(word)
		slices.SortFunc(got, byDocument)
		slices.SortFunc(want, byDocument)
		if !slices.Equal(got, want) {
			t.Fatalf("%q: %v, want %v", word, got, want)
		}
	}
	if complete.words.len() != len(model) {
		t.Errorf("%d words, want %d", complete.words.len(), len(model))
	}
}
