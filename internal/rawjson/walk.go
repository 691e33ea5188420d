package rawjson

import (
	"bytes"
	"iter"
)

// Members walks a checked object in order, duplicates included. The key is the
// decoded name, the value its text without white space around it. Both alias b,
// except for a key that is written with escapes. If b is not an object there is
// nothing to walk.
func Members(b []byte) iter.Seq2[[]byte, []byte] {
	// Small enough to be inlined, so that a range loop allocates nothing.
	return func(yield func(key, value []byte) bool) { walkMembers(b, yield) }
}

func walkMembers(b []byte, yield func(key, value []byte) bool) {
	i := skipSpace(b, 0)
	if at(b, i) != '{' {
		return
	}
	for i = skipSpace(b, i+1); at(b, i) == '"'; i = skipSpace(b, i+1) {
		key, end := nameAt(b, i)
		i = skipSpace(b, end) // the colon
		i = skipSpace(b, i+1) // the value
		end = skipValue(b, i)
		if end <= i || !yield(key, b[i:end:end]) {
			return
		}
		if i = skipSpace(b, end); at(b, i) != ',' {
			return
		}
	}
}

// Member returns the value of the first member of a checked object that has the
// name, as [Members] hands it out, or nil if there is none.
func Member(object []byte, name string) []byte {
	for key, value := range Members(object) {
		if string(key) == name {
			return value
		}
	}
	return nil
}

// nameAt decodes the member name that opens at b[i] and returns the index
// after it.
func nameAt(b []byte, i int) (name []byte, end int) {
	for end = skipPlain(b, i+1); end < len(b); end = skipPlain(b, end+1) {
		switch b[end] {
		case '"':
			return b[i+1 : end : end], end + 1
		case '\\':
			end = skipString(b, i)
			return appendUnescaped(nil, b[i+1:max(i+1, end-1)]), end
		}
	}
	return nil, len(b)
}

// Elements walks a checked array in order. A value is its text without white
// space around it, and aliases b. If b is not an array there is nothing to walk.
func Elements(b []byte) iter.Seq[[]byte] {
	return func(yield func(value []byte) bool) { walkElements(b, yield) }
}

func walkElements(b []byte, yield func(value []byte) bool) {
	i := skipSpace(b, 0)
	if at(b, i) != '[' {
		return
	}
	if i = skipSpace(b, i+1); at(b, i) == ']' {
		return
	}
	for {
		end := skipValue(b, i)
		if end <= i || !yield(b[i:end:end]) {
			return
		}
		if i = skipSpace(b, end); at(b, i) != ',' {
			return
		}
		i = skipSpace(b, i+1)
	}
}

// Compact appends checked text to dst, without the white space between tokens.
func Compact(dst, b []byte) []byte {
	start := 0 // of the text not yet appended
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == '"':
			i = skipString(b, i)
		case isSpace(c):
			dst = append(dst, b[start:i]...)
			i = skipSpace(b, i)
			start = i
		default:
			i++
		}
	}
	return append(dst, b[start:]...)
}

// String decodes a checked string literal. For any other kind ok is false.
func String(raw []byte) (s string, ok bool) {
	raw = trimSpace(raw)
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	raw = raw[1 : len(raw)-1]
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw), true
	}
	return unescape(raw), true
}

// Plain returns the bytes between the quotes of a checked string literal that
// holds no escapes: its text, without a copy. ok is false for any other value.
func Plain(raw []byte) (text []byte, ok bool) {
	if KindOf(raw) != StringKind || bytes.IndexByte(raw, '\\') >= 0 {
		return nil, false
	}
	raw = trimSpace(raw)
	return raw[1 : len(raw)-1], true
}

// IsString says whether a checked value is that string.
func IsString(raw []byte, text string) bool {
	if plain, ok := Plain(raw); ok {
		return string(plain) == text
	}
	decoded, ok := String(raw)
	return ok && decoded == text
}
