package rawjson

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// spaces has a bit set for each of the four white space bytes of JSON, all of
// which are below 64.
const spaces uint64 = 1<<' ' | 1<<'\t' | 1<<'\n' | 1<<'\r'

func isSpace(c byte) bool {
	return c <= ' ' && spaces>>(c&63)&1 != 0
}

// skipSpace returns the index of the first byte of b at or after i that is not
// white space, or len(b).
func skipSpace(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}

func trimSpace(b []byte) []byte {
	b = b[skipSpace(b, 0):]
	for len(b) > 0 && isSpace(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

func isDigit(c byte) bool { return c-'0' <= 9 }

func skipDigits(b []byte, i int) int {
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	return i
}

const (
	ones = 0x0101010101010101
	tops = 0x80 * ones
)

// special looks at eight bytes of a string at once. It marks, with the top bit
// of each, those that cannot stand for themselves in JSON without a closer
// look: a quote, a backslash, a control character, a part of a multi-byte rune.
//
// A subtraction borrows from the byte above only if the byte itself is marked,
// so the lowest mark is always right. Those above it may not be.
func special(word uint64) (marks uint64) {
	// Flipping bit 1 brings the quote next to the control characters.
	low := (word ^ 0x02*ones) - 0x21*ones
	backslash := (word ^ '\\'*ones) - ones
	return (word | low | backslash) & tops
}

// lowest returns the index in its word of the byte with the lowest mark.
func lowest(marks uint64) int { return bits.TrailingZeros64(marks) / 8 }

// skipPlain returns the index of the first special byte of b at or after i, or
// len(b).
func skipPlain(b []byte, i int) int {
	for i <= len(b)-8 {
		if marks := special(binary.LittleEndian.Uint64(b[i:])); marks != 0 {
			return i + lowest(marks)
		}
		i += 8
	}
	for i < len(b) && b[i] < utf8.RuneSelf && b[i] >= ' ' && b[i] != '"' && b[i] != '\\' {
		i++
	}
	return i
}

// shortString returns the index of the quote that closes the string whose text
// begins at b[i], if it is within eight bytes and nothing special comes before
// it. Most strings are that short, and this much is inlined.
func shortString(b []byte, i int) (end int, ok bool) {
	if i > len(b)-8 {
		return 0, false
	}
	marks := special(binary.LittleEndian.Uint64(b[i:]))
	end = i + lowest(marks)
	return end, marks != 0 && b[end] == '"'
}

// skipRunes returns the index of the first byte of b at or after i that is not
// part of a well-formed rune of several bytes. If that byte is not ASCII
// either, it is not UTF-8.
func skipRunes(b []byte, i int) int {
	for i < len(b) && b[i] >= utf8.RuneSelf {
		// Three bytes without special cases, as most of Asia writes them.
		if c := b[i]; c > 0xE0 && c < 0xF0 && c != 0xED && i+2 < len(b) && isContinuation(b[i+1]) && isContinuation(b[i+2]) {
			i += 3
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		i += n
	}
	return i
}

func isContinuation(c byte) bool { return c&0xC0 == 0x80 }

// skipString returns the index after the checked string that opens at b[i].
func skipString(b []byte, i int) int {
	if end, ok := shortString(b, i+1); ok {
		return end + 1
	}
	for i++; i < len(b); i++ {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			break
		}
		i += n
		// The quote closes the string unless an odd number of backslashes
		// stands before it. The opening quote ends the count at the latest.
		k := i
		for b[k-1] == '\\' {
			k--
		}
		if (i-k)%2 == 0 {
			return i + 1
		}
	}
	return len(b)
}

// skipValue returns the index after the checked value that begins at b[i].
func skipValue(b []byte, i int) int {
	if i >= len(b) {
		return len(b)
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '[', '{':
		return skipNested(b, i)
	}
	return skipScalar(b, i)
}

// skipScalar returns the index after the checked number or word at b[i].
func skipScalar(b []byte, i int) int {
	for i < len(b) && b[i] != ',' && b[i] != ']' && b[i] != '}' && !isSpace(b[i]) {
		i++
	}
	return i
}

// skipNested returns the index after the checked array or object at b[i].
func skipNested(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			i = skipString(b, i)
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return len(b)
}
