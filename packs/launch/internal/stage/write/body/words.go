package body

import (
	"slices"
	"strings"
	"unicode"
)

// small are words that say nothing.
var small = strings.Fields("a an and are as at be by can for from has have if in into is it its not of on or so than that the their them then they this to was which with without you your")

// Words are the stems of the words of a text, sorted, each once, without those
// that say nothing.
func Words(text string) []string {
	var words []string
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !slices.Contains(small, word) {
			words = append(words, Stem(word))
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// Stem is a word without the ending of its form: that of merges, merging and
// merge is the same.
func Stem(word string) string {
	for _, ending := range []string{"ing", "ies", "ed", "es", "s", "e", "y"} {
		if rest, cut := strings.CutSuffix(word, ending); cut && len(rest) > 2 {
			return rest
		}
	}
	return word
}

// Shared counts the words that two sorted lists have in common.
func Shared(a, b []string) int {
	n := 0
	for _, word := range a {
		if _, found := slices.BinarySearch(b, word); found {
			n++
		}
	}
	return n
}
