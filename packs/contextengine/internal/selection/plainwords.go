package selection

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

// plainWords walks the words of ranking bm25-v1: maximal runs of letters, marks
// and numbers. A Han or Hiragana character is a word by itself, since those
// scripts do not separate words.
func plainWords(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := -1
		for i := 0; i < len(text); {
			r, size := rune(text[i]), 1
			kind := asciiKinds[text[i]]
			if r >= utf8.RuneSelf {
				r, size = utf8.DecodeRuneInString(text[i:])
				kind = kindOf(r)
			}
			if kind != joining && start >= 0 {
				if !yield(text[start:i]) {
					return
				}
				start = -1
			}
			if kind == joining && start < 0 {
				start = i
			}
			if kind == alone && !yield(text[i:i+size]) {
				return
			}
			i += size
		}
		if start >= 0 {
			yield(text[start:])
		}
	}
}

// What a character is to words.
const (
	between = iota
	joining
	alone
)

func kindOf(r rune) byte {
	switch {
	case unicode.In(r, unicode.Han, unicode.Hiragana) && unicode.IsLetter(r):
		return alone
	case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r):
		return joining
	}
	return between
}

var asciiKinds = func() (kinds [256]byte) {
	for r := range rune(utf8.RuneSelf) {
		kinds[r] = kindOf(r)
	}
	return kinds
}()
