package document

import (
	"encoding/binary"
	"iter"
	"math/bits"
	"unicode/utf8"
	"unsafe"
)

// Words walks the words of a text in order, as they stand: maximal runs of
// characters other than Unicode White_Space. Bytes that are not UTF-8 belong to
// the word they stand in.
//
// White space has no case and ends every word for [Lower] too, so lower-casing
// each word gives the words of the lower-cased text.
func Words(text string) iter.Seq[string] {
	// Small enough to be inlined, so that a range loop allocates nothing.
	return func(yield func(string) bool) { walkWords(text, yield) }
}

func walkWords(text string, yield func(string) bool) {
	for i := 0; i < len(text); {
		if n := spaceAt(text, i); n > 0 {
			i += n
			continue
		}
		end := wordEnd(text, i)
		if !yield(text[i:end]) {
			return
		}
		i = end
	}
}

// wordEnd returns the index of the first white space of text at or after i, or
// len(text).
func wordEnd(text string, i int) int {
	i = skipPlain(text, i)
	for i < len(text) && (looks[text[i]] == isWord || spaceAt(text, i) == 0) {
		i++
	}
	return i
}

// skipPlain passes over bytes from '!' to U+007F, eight at a time for as long as
// there are eight.
func skipPlain(text string, i int) int {
	b := unsafe.Slice(unsafe.StringData(text), len(text)) // only read
	for ; i <= len(b)-8; i += 8 {
		// A subtraction borrows from the byte above only if the byte itself is
		// marked, so the lowest mark is right.
		word := binary.LittleEndian.Uint64(b[i:])
		if marks := (word - '!'*ones | word) & tops; marks != 0 {
			return i + bits.TrailingZeros64(marks)/8
		}
	}
	return i
}

// What the first byte of a character tells about it.
const (
	isWord = iota
	isSpace
	mayBeSpace
)

// looks covers the bytes inside a character too: they are word bytes, and none
// of them ever is a first byte.
var looks = [256]byte{
	'\t': isSpace, '\n': isSpace, '\v': isSpace, '\f': isSpace, '\r': isSpace, ' ': isSpace,
	0xC2: mayBeSpace, 0xE1: mayBeSpace, 0xE2: mayBeSpace, 0xE3: mayBeSpace,
}

// spaceAt returns the length of the white space character at text[i], or 0 if
// something else is there.
func spaceAt(text string, i int) int {
	if look := looks[text[i]]; look != mayBeSpace {
		return int(look)
	}
	return wideSpaceAt(text, i)
}

func wideSpaceAt(text string, i int) int {
	r, n := utf8.DecodeRuneInString(text[i:])
	switch {
	case r >= 0x2000 && r <= 0x200A:
		return n
	case r == 0x85, r == 0xA0, r == 0x1680, r == 0x2028, r == 0x2029, r == 0x202F, r == 0x205F, r == 0x3000:
		return n
	}
	return 0
}
