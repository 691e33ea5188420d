package document

import (
	"unicode"
	"unicode/utf8"
)

const (
	capitalSigma   = 'Σ'
	smallSigma     = 'σ'
	finalSigma     = 'ς'
	capitalDottedI = 'İ'
)

// lowerSigma chooses the small letter for the capital sigma at text[i]. It is a
// final one if a letter with case stands before it and none behind it, looking
// past what is ignored in between.
//
// A capital sigma has case itself and ends every search, so all searches of a
// text together see each character at most twice.
func lowerSigma(text string, i int) rune {
	if casedBefore(text[:i]) && !casedAfter(text[i+len("Σ"):]) {
		return finalSigma
	}
	return smallSigma
}

func casedBefore(text string) bool {
	for len(text) > 0 {
		r, n := utf8.DecodeLastRuneInString(text)
		if !isCaseIgnorable(r) {
			return isCased(r)
		}
		text = text[:len(text)-n]
	}
	return false
}

func casedAfter(text string) bool {
	for _, r := range text {
		if !isCaseIgnorable(r) {
			return isCased(r)
		}
	}
	return false
}

// isCased is the property Cased of Unicode.
func isCased(r rune) bool {
	return unicode.In(r, unicode.Ll, unicode.Lu, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

// isCaseIgnorable is the property Case_Ignorable of Unicode. A few modifiers
// are cased as well; they are ignored. White space never is.
func isCaseIgnorable(r rune) bool {
	return joinsLetters(r) || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
}

// joinsLetters says whether r can stand within a word, as in can't or 1.5: its
// Word_Break is MidLetter, MidNumLet or Single_Quote.
func joinsLetters(r rune) bool {
	switch r {
	case '\'', '.', ':', 0xB7, 0x387, 0x55F, 0x5F4,
		0x2018, 0x2019, 0x2024, 0x2027,
		0xFE13, 0xFE52, 0xFE55, 0xFF07, 0xFF0E, 0xFF1A:
		return true
	}
	return false
}
