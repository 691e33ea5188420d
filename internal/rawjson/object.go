package rawjson

import (
	"math"
	"strconv"
)

// An ObjectWriter appends one JSON object to a byte slice, member by member.
// It is a value on the caller's stack; for a nested object or array, append to
// what Name returns and give the whole back with Set.
type ObjectWriter struct {
	dst   []byte
	count int
}

// Begin opens an object after dst.
func Begin(dst []byte) ObjectWriter { return ObjectWriter{dst: append(dst, '{')} }

// Name appends a comma where needed, the member's name and a colon, and
// returns the text so far.
func (o *ObjectWriter) Name(name string) []byte {
	if o.count > 0 {
		o.dst = append(o.dst, ',')
	}
	o.count++
	o.dst = append(AppendString(o.dst, name), ':')
	return o.dst
}

// Set takes back the text that Name returned, with the value appended.
func (o *ObjectWriter) Set(dst []byte) { o.dst = dst }

// String appends a string member.
func (o *ObjectWriter) String(name, value string) { o.dst = AppendString(o.Name(name), value) }

// NonEmpty appends a string member unless it is empty.
func (o *ObjectWriter) NonEmpty(name, value string) {
	if value != "" {
		o.String(name, value)
	}
}

// Int appends an integer member.
func (o *ObjectWriter) Int(name string, value int64) {
	o.dst = strconv.AppendInt(o.Name(name), value, 10)
}

// Float appends a number member in its shortest decimal form, without an
// exponent. It appends nothing for a number that JSON cannot say: not a number,
// or an infinity.
func (o *ObjectWriter) Float(name string, f float64) {
	if !math.IsNaN(f) && !math.IsInf(f, 0) {
		o.dst = strconv.AppendFloat(o.Name(name), f, 'f', -1, 64)
	}
}

// Bool appends a boolean member.
func (o *ObjectWriter) Bool(name string, value bool) {
	o.dst = strconv.AppendBool(o.Name(name), value)
}

// Raw appends a member whose value is JSON text already.
func (o *ObjectWriter) Raw(name string, value []byte) { o.dst = append(o.Name(name), value...) }

// Strings appends an array of strings.
func (o *ObjectWriter) Strings(name string, values []string) {
	dst := append(o.Name(name), '[')
	for i, value := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, value)
	}
	o.dst = append(dst, ']')
}

// End closes the object and returns the text.
func (o *ObjectWriter) End() []byte { return append(o.dst, '}') }
