package rawjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// DuplicateError is the error of an object that has two members of one name.
type DuplicateError struct {
	Name string
}

func (e *DuplicateError) Error() string {
	return fmt.Sprintf("duplicate member name %.64q", e.Name)
}

// Decode turns checked text into nil, bool, string, [json.Number], []any or
// map[string]any. Numbers keep the text they are written with, so integers
// above 2^53 survive. The only error is a [*DuplicateError], for an object at
// any depth.
//
// All strings share one copy of the text: whoever keeps a small one for long
// clones it. Decode recurses, as does whatever walks its result, so the text
// should have been checked with a bound on its depth.
func Decode(b []byte) (any, error) {
	d := decoder{b: b, text: string(b)}
	v := d.value()
	if d.duplicate != nil {
		return nil, d.duplicate
	}
	return v, nil
}

// decoder reads checked text at i. Indexes into b and text agree.
type decoder struct {
	b         []byte
	text      string
	i         int
	duplicate *DuplicateError // the first one found
}

// value decodes the next value, skipping white space before it. After a
// duplicate it stops early, and its result is of no use.
func (d *decoder) value() any {
	d.i = skipSpace(d.b, d.i)
	switch at(d.b, d.i) {
	case '"':
		return d.string()
	case '{':
		return d.object()
	case '[':
		return d.array()
	}
	start := d.i
	d.i = skipScalar(d.b, d.i)
	switch at(d.b, start) {
	case 't':
		return true
	case 'f':
		return false
	case 'n', 0:
		return nil
	}
	return json.Number(d.text[start:d.i])
}

func (d *decoder) string() string {
	start := d.i + 1
	d.i = skipString(d.b, d.i)
	end := max(start, d.i-1)
	if bytes.IndexByte(d.b[start:end], '\\') < 0 {
		return d.text[start:end]
	}
	return unescape(d.b[start:end])
}

func (d *decoder) object() map[string]any {
	m := make(map[string]any)
	for d.more() && d.b[d.i] == '"' {
		name := d.string()
		d.i = skipSpace(d.b, d.i) + 1 // after the colon
		size := len(m)
		m[name] = d.value()
		if len(m) == size && d.duplicate == nil {
			d.duplicate = &DuplicateError{name}
		}
	}
	return m
}

func (d *decoder) array() []any {
	a := []any{}
	for d.more() {
		a = append(a, d.value())
	}
	return a
}

// more moves from an opening bracket, or from the end of an entry, to the next
// entry. If there is none it moves behind the closing bracket instead, and
// reports false.
func (d *decoder) more() bool {
	d.i = skipSpace(d.b, d.i)
	if !isClosing(at(d.b, d.i)) {
		d.i = skipSpace(d.b, d.i+1)
	}
	if d.i >= len(d.b) || d.duplicate != nil {
		return false
	}
	if isClosing(d.b[d.i]) {
		d.i++
		return false
	}
	return true
}

func isClosing(c byte) bool { return c == ']' || c == '}' }

// unescape decodes what stands between the quotes of a checked string.
func unescape(b []byte) string {
	b = appendUnescaped(make([]byte, 0, len(b)), b)
	return unsafe.String(unsafe.SliceData(b), len(b)) // nobody else has b
}

// appendUnescaped appends what stands between the quotes of a checked string.
func appendUnescaped(dst, b []byte) []byte {
	for {
		n := bytes.IndexByte(b, '\\')
		if n < 0 || n == len(b)-1 {
			return append(dst, b...)
		}
		dst = append(dst, b[:n]...)
		b = b[n:]
		switch c := b[1]; c {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r, _ := hexEscape(b)
			b = b[min(4, len(b)-2):]
			if utf16.IsSurrogate(r) {
				low, _ := hexEscape(b[2:])
				r = utf16.DecodeRune(r, low)
				b = b[min(6, len(b)-2):]
			}
			dst = utf8.AppendRune(dst, r)
		default: // a quote, a backslash or a slash
			dst = append(dst, c)
		}
		b = b[2:]
	}
}
