// Package rawjson reads and writes JSON text without reflection.
//
// Text from outside is checked once, in full, by [Check]. Everything else that
// reads takes such checked text on trust and only walks it: [Members] and
// [Elements] hand out pieces of the text itself, [Decode] builds Go values.
// Given text that was never checked they return nonsense, but do not panic.
package rawjson

// Kind is the kind of a JSON value.
type Kind byte

// The kinds of a JSON value. Invalid is that of empty text, and so of a member
// that is absent. StringKind leaves the name String to the function.
const (
	Invalid Kind = iota
	Null
	Bool
	Number
	StringKind
	Array
	Object
)

// String returns the name that JSON Schema has for k, or "invalid".
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "boolean"
	case Number:
		return "number"
	case StringKind:
		return "string"
	case Array:
		return "array"
	case Object:
		return "object"
	}
	return "invalid"
}

// KindOf tells the kind of a checked value from its first byte, skipping white
// space before it.
func KindOf(raw []byte) Kind {
	i := skipSpace(raw, 0)
	if i == len(raw) {
		return Invalid
	}
	switch raw[i] {
	case 'n':
		return Null
	case 't', 'f':
		return Bool
	case '"':
		return StringKind
	case '[':
		return Array
	case '{':
		return Object
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return Number
	}
	return Invalid
}

// IsInteger reports whether raw is a number literal without fraction and
// exponent. 1.0 is therefore not an integer here, though JSON Schema says it is.
func IsInteger(raw []byte) bool {
	raw = trimSpace(raw)
	if len(raw) > 0 && raw[0] == '-' {
		raw = raw[1:]
	}
	return len(raw) > 0 && skipDigits(raw, 0) == len(raw)
}
