package rawjson

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"
)

// Limits bounds one JSON text. A zero field means no bound.
type Limits struct {
	// Depth is how deep arrays and objects may nest: a bare scalar has depth 0,
	// an empty array 1.
	Depth int
	// StringBytes is how long a string literal may be, member names included,
	// in bytes of text between its quotes.
	StringBytes int
	// Values is how many values there may be: scalars, arrays and objects at any
	// depth, the whole text being one of them. Member names do not count. It
	// bounds what [Decode] allocates, which is some fifty times the text for a
	// list of small objects.
	Values int
}

// Errors of a text that breaks its [Limits].
var (
	ErrTooDeep       = errors.New("JSON nested too deep")
	ErrStringTooLong = errors.New("JSON string too long")
	ErrTooManyValues = errors.New("too many JSON values")
)

// SyntaxError says where a text stops being JSON. It never quotes the text.
type SyntaxError struct {
	Offset int // in bytes from the start
	Reason string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("invalid JSON at byte %d: %s", e.Offset, e.Reason)
}

// Check reports whether b is exactly one JSON value as RFC 8259 defines it, in
// valid UTF-8, with optional white space around it. Beyond the grammar it
// refuses a \u escape of a lone surrogate, which has no form in UTF-8.
//
// The error is a [*SyntaxError], [ErrTooDeep], [ErrStringTooLong] or
// [ErrTooManyValues], whichever the text earns first. Check needs one bit of
// memory for each level of nesting, and none from the heap for the first 64.
func Check(b []byte, lim Limits) error {
	var open nesting
	values := lim.Values // still allowed
	if values <= 0 {
		values = math.MaxInt
	}
	i := skipSpace(b, 0)
	for {
		// A value begins at i.
		var err error
		if values == 0 && KindOf(b[i:]) != Invalid {
			return ErrTooManyValues
		}
		values--
		switch c := at(b, i); c {
		case '"':
			i, err = checkString(b, i, lim.StringBytes)
		case '{', '[':
			open.push(c == '{')
			if lim.Depth > 0 && open.depth > lim.Depth {
				return ErrTooDeep
			}
			i = skipSpace(b, i+1)
			if at(b, i) == c+2 { // '}' is '{'+2, and ']' is '['+2
				open.pop()
				i++
				break
			}
			if c == '{' {
				if i, err = checkName(b, i, lim.StringBytes); err != nil {
					return err
				}
			}
			continue
		case 't':
			i, err = checkWord(b, i, "true")
		case 'f':
			i, err = checkWord(b, i, "false")
		case 'n':
			i, err = checkWord(b, i, "null")
		default:
			if c != '-' && !isDigit(c) {
				return unexpected(b, i, "expected a value")
			}
			i, err = checkNumber(b, i)
		}
		if err != nil {
			return err
		}
		// A value ended before i, and with it perhaps some of those around it.
		if i, err = checkAfter(b, i, &open, lim.StringBytes); err != nil || open.depth == 0 {
			return err
		}
	}
}

// checkAfter checks what follows a value that ended before i, up to the next
// value or the end of the text, and returns the index of either. At the end
// open is empty.
func checkAfter(b []byte, i int, open *nesting, maxString int) (int, error) {
	for {
		i = skipSpace(b, i)
		if open.depth == 0 {
			if i < len(b) {
				return i, &SyntaxError{i, "trailing data"}
			}
			return i, nil
		}
		c := at(b, i)
		switch {
		case c == ',':
			i = skipSpace(b, i+1)
			if open.inObject() {
				return checkName(b, i, maxString)
			}
			return i, nil
		case open.inObject():
			if c != '}' {
				return i, unexpected(b, i, "expected ',' or '}'")
			}
		default:
			if c != ']' {
				return i, unexpected(b, i, "expected ',' or ']'")
			}
		}
		open.pop()
		i++
	}
}

// at returns b[i], or 0 at the end. The byte 0 has no place in JSON.
func at(b []byte, i int) byte {
	if i < len(b) {
		return b[i]
	}
	return 0
}

// unexpected is the error for a byte at i that does not fit, or for the lack
// of one.
func unexpected(b []byte, i int, reason string) error {
	switch {
	case i >= len(b):
		return &SyntaxError{len(b), "unexpected end"}
	case i == 0 && bytes.HasPrefix(b, []byte("\uFEFF")):
		return &SyntaxError{i, "byte order mark"}
	}
	return &SyntaxError{i, reason}
}

// checkName checks a member name at b[i] and the colon after it. It returns
// the index of the member's value.
func checkName(b []byte, i, maxString int) (int, error) {
	if at(b, i) != '"' {
		return i, unexpected(b, i, "expected a member name")
	}
	i, err := checkString(b, i, maxString)
	if err != nil {
		return i, err
	}
	i = skipSpace(b, i)
	if at(b, i) != ':' {
		return i, unexpected(b, i, "expected ':'")
	}
	return skipSpace(b, i+1), nil
}

// checkString checks the string that opens at b[i] and returns the index after
// it.
func checkString(b []byte, i, maxBytes int) (int, error) {
	start := i + 1
	i = start
	if end, ok := shortString(b, i); ok && (maxBytes == 0 || maxBytes >= 8) {
		return end + 1, nil
	}
	for {
		i = skipPlain(b, i)
		if i == len(b) {
			return i, unexpected(b, i, "")
		}
		switch c := b[i]; {
		case c == '"':
			if maxBytes > 0 && i-start > maxBytes {
				return i, ErrStringTooLong
			}
			return i + 1, nil
		case c == '\\':
			n, reason := escapeLen(b[i:])
			if reason != "" {
				return i, &SyntaxError{i, reason}
			}
			i += n
		case c < ' ':
			return i, &SyntaxError{i, "control character in string"}
		default:
			if i = skipRunes(b, i); at(b, i) >= utf8.RuneSelf {
				return i, &SyntaxError{i, "invalid UTF-8"}
			}
		}
	}
}

// escapeLen returns the length of the escape sequence that b begins with, a
// surrogate pair being one sequence, or the reason why it is not valid.
func escapeLen(b []byte) (n int, reason string) {
	if len(b) < 2 {
		return 0, "unexpected end"
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, ""
	case 'u':
	default:
		return 0, "invalid escape"
	}
	r, ok := hexEscape(b)
	switch {
	case !ok:
		return 0, "invalid escape"
	case r < surrogateMin || r > surrogateMax:
		return 6, ""
	}
	low, ok := hexEscape(b[6:])
	if r >= lowSurrogateMin || !ok || low < lowSurrogateMin || low > surrogateMax {
		return 0, "lone surrogate"
	}
	return 12, ""
}

const (
	surrogateMin    = 0xD800
	lowSurrogateMin = 0xDC00
	surrogateMax    = 0xDFFF
)

// hexEscape reads the \u escape, with its four digits, that b begins with.
func hexEscape(b []byte) (r rune, ok bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	for _, c := range b[2:6] {
		switch {
		case isDigit(c):
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// checkNumber checks the number that begins at b[i], which is a digit or a
// minus sign, and returns the index after it.
func checkNumber(b []byte, i int) (int, error) {
	if b[i] == '-' {
		i++
	}
	end := skipDigits(b, i)
	switch {
	case end == i:
		return i, unexpected(b, i, "expected a digit")
	case b[i] == '0' && end > i+1:
		return i, &SyntaxError{i, "number with a leading zero"}
	}
	i = end
	if at(b, i) == '.' {
		i++
		if end = skipDigits(b, i); end == i {
			return i, unexpected(b, i, "expected a digit")
		}
		i = end
	}
	if at(b, i)|0x20 == 'e' {
		i++
		if c := at(b, i); c == '+' || c == '-' {
			i++
		}
		if end = skipDigits(b, i); end == i {
			return i, unexpected(b, i, "expected a digit")
		}
		i = end
	}
	return i, nil
}

func checkWord(b []byte, i int, word string) (int, error) {
	if len(b)-i < len(word) || string(b[i:i+len(word)]) != word {
		return i, &SyntaxError{i, "expected a value"}
	}
	return i + len(word), nil
}

// nesting is a stack of one bit for each open array or object.
type nesting struct {
	depth int
	top   uint64   // the innermost levels, lowest bit last; set means object
	below []uint64 // full words of outer levels
}

func (s *nesting) push(object bool) {
	if s.depth > 0 && s.depth%64 == 0 {
		s.below = append(s.below, s.top)
	}
	s.depth++
	s.top <<= 1
	if object {
		s.top |= 1
	}
}

func (s *nesting) pop() {
	s.depth--
	s.top >>= 1
	if s.depth > 0 && s.depth%64 == 0 {
		last := len(s.below) - 1
		s.top, s.below = s.below[last], s.below[:last]
	}
}

func (s *nesting) inObject() bool { return s.top&1 != 0 }
