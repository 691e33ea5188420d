package plantuml

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"mcpworks/internal/rawjson"
)

// MaxBody is the largest request body that is read (section 6). A text of
// MaxText bytes takes up to six times as many when it is written in escapes.
const MaxBody = 1 << 20

// codeName is the one argument of the tool.
const codeName = "plantumlCode"

var (
	errNotUTF8       = errors.New("the body is not UTF-8")
	errLoneSurrogate = errors.New("the text has a lone surrogate")
)

// readCode finds the text in a body: steps 6 to 10 of section 3.1.
func readCode(body []byte) (text string, bad *problem) {
	if !utf8.Valid(body) {
		return "", encodingFailed.because(errNotUTF8)
	}
	if len(body) == 0 {
		return "", emptyCode
	}
	// A lone surrogate is well-formed JSON to the contract but not to Check. It
	// only matters in the text itself.
	if err := rawjson.Check(mendSurrogates(body), rawjson.Limits{}); err != nil {
		return "", internalError.because(err)
	}
	var value []byte
	for name, v := range rawjson.Members(body) {
		if string(name) == codeName {
			value = v // the last one counts
		}
	}
	if loneSurrogate(value) >= 0 && rawjson.KindOf(value) == rawjson.StringKind {
		return "", encodingFailed.because(errLoneSurrogate)
	}
	text, _ = rawjson.String(value)
	return text, checkCode(text)
}

// checkCode is steps 8 and 10: not blank, not too large.
func checkCode(text string) *problem {
	switch {
	case !strings.ContainsFunc(text, isInk):
		return emptyCode
	case len(text) > MaxText:
		return codeTooLarge
	}
	return nil
}

// isInk says whether a character is something else than ECMAScript's white
// space, which has U+FEFF and lacks U+0085.
func isInk(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', '\uFEFF', '\u2028', '\u2029':
		return false
	}
	return !unicode.Is(unicode.Zs, r)
}

// mendSurrogates returns body with U+FFFD for every lone surrogate.
func mendSurrogates(body []byte) []byte {
	i := loneSurrogate(body)
	if i < 0 {
		return body
	}
	mended := slices.Clone(body)
	for from := i; i >= 0; from += i {
		copy(mended[from:], `\ufffd`)
		i = loneSurrogate(mended[from:])
	}
	return mended
}

// loneSurrogate returns the index of the first escape in a JSON text that is
// half of a pair, or -1. Backslashes occur only in strings, and the next byte
// belongs to each, so there is no need to know where the strings are.
func loneSurrogate(b []byte) int {
	for i := 0; ; {
		n := bytes.IndexByte(b[i:], '\\')
		if n < 0 {
			return -1
		}
		i += n
		switch first, second := surrogateAt(b, i), surrogateAt(b, i+6); {
		case first == 0:
			i = min(i+2, len(b))
		case first == 'h' && second == 'l':
			i += 12
		default:
			return i
		}
	}
}

// surrogateAt tells the half that is escaped at b[i]: 'h' for the high one,
// which comes first, 'l' for the low one, 0 for neither.
func surrogateAt(b []byte, i int) byte {
	if len(b)-i < 6 || b[i] != '\\' || b[i+1] != 'u' {
		return 0
	}
	unit, err := strconv.ParseUint(string(b[i+2:i+6]), 16, 16)
	switch {
	case err != nil || unit < 0xD800 || unit > 0xDFFF:
		return 0
	case unit < 0xDC00:
		return 'h'
	}
	return 'l'
}
