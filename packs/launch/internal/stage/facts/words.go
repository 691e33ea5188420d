package facts

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// wordsOf are the words of a text in lower case, in order; what is neither letter
// nor digit separates them.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// setOf are the words of three letters or more, sorted, each once; if there are
// none, all words.
func setOf(text string) []string {
	all := wordsOf(text)
	long := slices.DeleteFunc(slices.Clone(all), func(word string) bool { return utf8.RuneCountInString(word) < 3 })
	if len(long) == 0 {
		long = all
	}
	slices.Sort(long)
	return slices.Compact(long)
}

// stopWords say nothing about a product.
var stopWords = func() map[string]bool {
	words := map[string]bool{}
	for _, word := range strings.Fields(`the and for are was were has have had with from into that this these those its their they them then than which who whom what
		when where while will would can could may might must shall should been being but not nor yet all any both each every few more most other some such only own same
		too very just also about above below after before again once here there you your yours our ours his her how why per via etc does did done doing without within
		between through during until against use used uses using one two`) {
		words[word] = true
	}
	return words
}()

// contentOf is setOf without stop words and the words of the product's name.
func contentOf(text, product string) []string {
	name := wordsOf(product)
	return slices.DeleteFunc(setOf(text), func(word string) bool { return stopWords[word] || slices.Contains(name, word) })
}

// common counts the words that two sorted sets share.
func common(a, b []string) int {
	n, j := 0, 0
	for _, word := range a {
		for j < len(b) && b[j] < word {
			j++
		}
		if j < len(b) && b[j] == word {
			n++
		}
	}
	return n
}

// jaccard is the share of common words among all words of two sorted sets.
func jaccard(a, b []string) float64 {
	shared := common(a, b)
	if all := len(a) + len(b) - shared; all > 0 {
		return float64(shared) / float64(all)
	}
	return 0
}

// Cited are the words of cited lines, sorted, each once.
type Cited []string

// CitedWords reads lines once, for all claims that cite them.
func CitedWords(lines string) Cited {
	words := wordsOf(lines)
	slices.Sort(words)
	return slices.Clip(slices.Compact(words))
}

// Say says whether the lines say what a claim says: at least 80 % of its words
// of three letters or more occur in them (18.13).
func (c Cited) Say(claim string) bool {
	words, found := setOf(claim), 0
	for _, word := range words {
		if _, there := slices.BinarySearch(c, word); there {
			found++
		}
	}
	return len(words) > 0 && found*5 >= len(words)*4
}

// Verified is Say for lines that one claim cites.
func Verified(claim, lines string) bool { return CitedWords(lines).Say(claim) }
