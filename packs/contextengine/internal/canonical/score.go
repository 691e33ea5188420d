// Package canonical writes JSON as caches and answers have it: equal values are
// equal bytes, on every machine. Strings are those of rawjson.AppendString; this
// package adds how a score is spelled and how a text is laid out for people.
package canonical

import (
	"math"
	"strconv"
)

// Scores outside these bounds are written with an exponent.
const (
	leastPositional = 1e-6
	mostPositional  = 1e13
)

// AppendScore appends the shortest decimal that reads back to the same 32-bit
// value: 0.0, 0.33333334, 1.0, and 5e-7 below one millionth. Only a number with
// an exponent may lack a fraction. What is not a number, or infinite, has no
// decimal and is written null; no selection yields one.
func AppendScore(dst []byte, score float32) []byte {
	f := float64(score)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(dst, "null"...)
	}
	// Bounds are compared in 32 bits: the score next to 0.000001 is a little
	// less than that, and its shortest decimal is not.
	size := max(score, -score)
	if size != 0 && (size < leastPositional || size >= mostPositional) {
		return appendExponent(dst, f)
	}
	dst = strconv.AppendFloat(dst, f, 'f', -1, 32)
	if size == float32(math.Trunc(float64(size))) {
		dst = append(dst, ".0"...)
	}
	return dst
}

// appendExponent writes an exponent as short as it can be: strconv's e-07 is
// e-7, and its e+13 is e13.
func appendExponent(dst []byte, f float64) []byte {
	dst = strconv.AppendFloat(dst, f, 'e', -1, 32)
	mark := len(dst) - len("e-07")
	sign, digits := dst[mark+1], dst[mark+2:]
	dst = dst[:mark+1]
	if sign == '-' {
		dst = append(dst, sign)
	}
	if digits[0] == '0' {
		digits = digits[1:]
	}
	return append(dst, digits...)
}
