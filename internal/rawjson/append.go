package rawjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
	"unsafe"
)

// Append appends v as JSON text without white space. It knows the values that
// [Decode] makes, and int, int64, float64 and [json.RawMessage]; other types
// are left to encoding/json. Members are sorted by name in byte order, so equal
// values give equal text.
//
// Not a number, an infinity, a json.Number that is not a number literal and a
// RawMessage that does not pass [Check] are errors. What was appended before an
// error stays in the result.
func Append(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case string:
		return AppendString(dst, v), nil
	case json.Number:
		return appendNumber(dst, v)
	case int:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case int64:
		return strconv.AppendInt(dst, v, 10), nil
	case float64:
		return appendFloat(dst, v)
	case []any:
		return appendArray(dst, v)
	case map[string]any:
		return appendObject(dst, v)
	case json.RawMessage:
		return appendRaw(dst, v)
	}
	return appendOther(dst, v)
}

func appendArray(dst []byte, a []any) ([]byte, error) {
	if a == nil {
		return append(dst, "null"...), nil
	}
	dst = append(dst, '[')
	var err error
	for i, v := range a {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = Append(dst, v); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

func appendObject(dst []byte, m map[string]any) ([]byte, error) {
	if m == nil {
		return append(dst, "null"...), nil
	}
	var few [16]string // saves an allocation for most objects
	names := few[:0]
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	dst = append(dst, '{')
	var err error
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendString(dst, name), ':')
		if dst, err = Append(dst, m[name]); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

func appendNumber(dst []byte, n json.Number) ([]byte, error) {
	b := []byte(n)
	if len(b) > 0 && (b[0] == '-' || isDigit(b[0])) {
		if end, err := checkNumber(b, 0); err == nil && end == len(b) {
			return append(dst, b...), nil
		}
	}
	return dst, fmt.Errorf("not a JSON number: %.64q", string(n))
}

// appendFloat writes f as encoding/json does, which is as JavaScript does.
func appendFloat(dst []byte, f float64) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return dst, fmt.Errorf("no JSON form for the number %v", f)
	}
	abs := math.Abs(f)
	if abs == 0 || abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64), nil
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// Two digits of exponent are written even for one: e-09 becomes e-9.
	if n := len(dst); dst[n-4] == 'e' && dst[n-2] == '0' {
		dst = append(dst[:n-2], dst[n-1])
	}
	return dst, nil
}

func appendRaw(dst, raw []byte) ([]byte, error) {
	if raw == nil {
		return append(dst, "null"...), nil
	}
	if err := Check(raw, Limits{}); err != nil {
		return dst, fmt.Errorf("append raw message: %w", err)
	}
	return Compact(dst, raw), nil
}

func appendOther(dst []byte, v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return dst, fmt.Errorf("append %T: %w", v, err)
	}
	return appendRaw(dst, buf.Bytes()) // a marshaler's own text may be anything
}

// AppendString appends s as a JSON string. It escapes what it has to, with the
// short escapes where there are any, and nothing for the sake of HTML or
// JavaScript. Invalid UTF-8 becomes U+FFFD, byte by byte.
func AppendString(dst []byte, s string) []byte {
	b := unsafe.Slice(unsafe.StringData(s), len(s)) // only read
	dst = slices.Grow(dst, len(s)+2)
	dst = append(dst, '"')
	start := 0 // of the text not yet appended
	for i := skipPlain(b, 0); i < len(b); i = skipPlain(b, i) {
		if b[i] >= utf8.RuneSelf {
			if i = skipRunes(b, i); at(b, i) < utf8.RuneSelf {
				continue
			}
		}
		dst = append(dst, b[start:i]...)
		dst = appendEscape(dst, b[i])
		i++
		start = i
	}
	dst = append(dst, b[start:]...)
	return append(dst, '"')
}

// appendEscape appends what stands for a byte that cannot stand for itself.
func appendEscape(dst []byte, c byte) []byte {
	if c >= utf8.RuneSelf {
		return append(dst, "\uFFFD"...)
	}
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}
