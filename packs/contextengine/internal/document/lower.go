package document

import (
	"encoding/binary"
	"slices"
	"unicode"
	"unicode/utf8"
	"unsafe"
)

// Lower returns text in lower case, by the full mapping of Unicode in no
// particular language. Two characters are more than a look into a table: a
// capital I with a dot becomes an i and a combining dot, and a capital sigma at
// the end of a word becomes a final sigma. Bytes that are not UTF-8 stay.
func Lower(text string) string {
	if isLowerASCII(text) {
		return text
	}
	b := AppendLower(make([]byte, 0, len(text)), text)
	return unsafe.String(unsafe.SliceData(b), len(b)) // nobody else has b
}

func isLowerASCII(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf || c-'A' < 26 {
			return false
		}
	}
	return true
}

// AppendLower appends what [Lower] returns. It takes time in proportion to the
// text, whatever the text.
func AppendLower(dst []byte, text string) []byte {
	dst = slices.Grow(dst, len(text))
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			dst, i = appendLowerASCII(dst, text, i)
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		switch lower := lowerRune(r); {
		case r == capitalSigma:
			dst = utf8.AppendRune(dst, lowerSigma(text, i))
		case r == capitalDottedI:
			dst = append(dst, "i\u0307"...)
		case lower == r: // also a byte that is not UTF-8
			dst = append(dst, text[i:i+n]...)
		default:
			dst = utf8.AppendRune(dst, lower)
		}
		i += n
	}
	return dst
}

const (
	ones = 0x0101010101010101
	tops = 0x80 * ones
)

// appendLowerASCII appends the run of ASCII characters that begins at text[i]
// and returns the index after it.
func appendLowerASCII(dst []byte, text string, i int) ([]byte, int) {
	b := unsafe.Slice(unsafe.StringData(text), len(text)) // only read
	for i <= len(b)-8 {
		word := binary.LittleEndian.Uint64(b[i:])
		if word&tops != 0 {
			break
		}
		// The first sum has the top bit of each byte from 'A' on, the second of
		// each byte after 'Z'. No sum of ASCII bytes carries into the next.
		capitals := (word + (0x80-'A')*ones) &^ (word + (0x80-'Z'-1)*ones) & tops
		dst = binary.LittleEndian.AppendUint64(dst, word|capitals>>2)
		i += 8
	}
	for ; i < len(b) && b[i] < utf8.RuneSelf; i++ {
		c := b[i]
		if c-'A' < 26 {
			c |= 0x20
		}
		dst = append(dst, c)
	}
	return dst, i
}

// lowerRune is unicode.ToLower without its search, for most of what is written:
// the alphabets of two bytes a letter, and the scripts that have no case.
func lowerRune(r rune) rune {
	switch {
	case r < rune(len(lowerTwoBytes)):
		return rune(lowerTwoBytes[r])
	case r >= 0x2E00 && r < 0xA640 || r >= 0xAC00 && r < 0xFB00:
		return r
	}
	return unicode.ToLower(r)
}

// lowerTwoBytes has the small letter of each character that takes no more than
// two bytes in UTF-8.
var lowerTwoBytes = func() (table [0x800]uint16) {
	for r := range table {
		table[r] = uint16(unicode.ToLower(rune(r)))
	}
	return table
}()
