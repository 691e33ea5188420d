package jsonrpc

import (
	"strconv"

	"mcpworks/internal/rawjson"
)

// An ID names a request. Two ids are equal, with ==, exactly when they are the
// same JSON value of the same type. The zero ID stands for none.
type ID struct {
	text string // canonical JSON text: "7" or "\"seven\""
}

// StringID and IntID make the two kinds of id.
func StringID(s string) ID { return ID{string(rawjson.AppendString(nil, s))} }
func IntID(n int64) ID     { return ID{strconv.FormatInt(n, 10)} }

// ParseID reads checked JSON text. Only strings and integers are ids:
// 1.5, 1e3, 1.0, null, booleans, arrays and objects are not, and nothing is
// rounded, so an integer of any length is echoed digit by digit.
func ParseID(raw []byte) (id ID, ok bool) {
	switch rawjson.KindOf(raw) {
	case rawjson.Number:
		if string(raw) == "-0" {
			return IntID(0), true
		}
		if rawjson.IsInteger(raw) {
			return ID{string(raw)}, true
		}
	case rawjson.StringKind:
		for _, c := range raw {
			if c == '\\' {
				s, _ := rawjson.String(raw)
				return StringID(s), true
			}
		}
		return ID{string(raw)}, true
	}
	return ID{}, false
}

// IsZero reports whether there is no id.
func (id ID) IsZero() bool { return id.text == "" }

// AppendJSON appends the id as JSON, null for none.
func (id ID) AppendJSON(dst []byte) []byte {
	if id.IsZero() {
		return append(dst, "null"...)
	}
	return append(dst, id.text...)
}

// MarshalJSON implements json.Marshaler.
func (id ID) MarshalJSON() ([]byte, error) { return id.AppendJSON(nil), nil }

// String returns the id as JSON text, for logs.
func (id ID) String() string { return string(id.AppendJSON(nil)) }
