package main

import (
	"math"
	"math/rand/v2"
)

// Words are numbered from the most frequent one, 1, without an end. The first
// common ones follow Zipf's law, each as frequent as one over its number; the
// others become rare faster, as they do in large collections of real texts. The
// number of different words in n words then grows like n to the power 1/1.77,
// which is Heaps' law.
const (
	common = 8000
	fall   = 1.77 // the exponent of the rare words
)

// isCommon is the share of common words that makes the two parts meet.
var isCommon = func() float64 {
	weight := (fall - 1) * math.Log(common+1)
	return weight / (1 + weight)
}()

// anyWord picks a word as texts do.
func anyWord(r *rand.Rand) uint64 {
	if r.Float64() < isCommon {
		return uint64(math.Exp(r.Float64() * math.Log(common+1)))
	}
	const most = 1e12
	return 1 + uint64(min(common*math.Pow(1-r.Float64(), -1/(fall-1)), most))
}

// middlingWord picks one that a person may ask for: it is in about 1 to 15 of
// 100 documents.
func middlingWord(r *rand.Rand) uint64 {
	const first, last = 200, 3000
	return uint64(first * math.Exp(r.Float64()*math.Log(last/first)))
}

var (
	onsets = [10]string{"t", "s", "th", "r", "st", "c", "pr", "m", "ch", "gr"}
	vowels = [5]string{"e", "a", "i", "o", "u"}
	codas  = [3]string{"", "n", "st"}
)

// appendWord spells a word. Each has a spelling of its own, and the frequent
// ones are short: syllables that end in a vowel, and something after the last.
func appendWord(dst []byte, word uint64) []byte {
	const syllables = uint64(len(onsets) * len(vowels))
	word--
	coda := codas[word%uint64(len(codas))]
	for rest := word/uint64(len(codas)) + 1; rest > 0; {
		rest--
		dst = append(dst, onsets[rest%syllables/uint64(len(vowels))]...)
		dst = append(dst, vowels[rest%uint64(len(vowels))]...)
		rest /= syllables
	}
	return append(dst, coda...)
}
