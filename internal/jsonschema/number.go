package jsonschema

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// Bounds of a number, in a schema as in a value. They are beyond every float64,
// and keep exact arithmetic from taking megabytes for 1e999999.
const (
	maxExponent    = 400
	maxNumberBytes = 400
)

func isHuge(number string) bool {
	if len(number) > maxNumberBytes {
		return true
	}
	e := exponentAt(number)
	if e == len(number) {
		return false
	}
	exponent, err := strconv.Atoi(number[e+1:])
	return err != nil || exponent > maxExponent || exponent < -maxExponent
}

// exponentAt returns the index of the letter before the exponent, or the end.
func exponentAt(number string) int {
	for i := range len(number) {
		if number[i]|0x20 == 'e' {
			return i
		}
	}
	return len(number)
}

// survey counts the values in v, itself included, and says whether all of its
// numbers are in range. It stops counting at the first that is not.
func survey(v any) (values int, inRange bool) {
	values = 1
	switch v := v.(type) {
	case json.Number:
		return 1, !isHuge(string(v))
	case []any:
		for _, element := range v {
			n, inRange := survey(element)
			if values += n; !inRange {
				return values, false
			}
		}
	case map[string]any:
		for _, member := range v {
			n, inRange := survey(member)
			if values += n; !inRange {
				return values, false
			}
		}
	}
	return values, true
}

// decimal is the number 0.DIGITS times ten to the power of point, exactly.
// Digits neither begin nor end with a zero, so equal numbers are equal here.
type decimal struct {
	negative bool
	digits   []byte
	point    int
}

// parseDecimal reads a JSON number that is not huge. It puts the digits into
// buf, if they fit.
func parseDecimal(number string, buf []byte) decimal {
	d := decimal{digits: buf[:0]}
	number, d.negative = strings.CutPrefix(number, "-")
	end := exponentAt(number)
	inFraction := false
	for i := range end {
		switch c := number[i]; {
		case c == '.':
			inFraction = true
		case c == '0' && len(d.digits) == 0:
			if inFraction {
				d.point--
			}
		default:
			if d.digits = append(d.digits, c); !inFraction {
				d.point++
			}
		}
	}
	for n := len(d.digits); n > 0 && d.digits[n-1] == '0'; n-- {
		d.digits = d.digits[:n-1]
	}
	if len(d.digits) == 0 {
		return decimal{}
	}
	if end < len(number) {
		exponent, _ := strconv.Atoi(number[end+1:])
		d.point += exponent
	}
	return d
}

func (d decimal) isInteger() bool { return len(d.digits) <= max(d.point, 0) }

func (d decimal) sign() int {
	switch {
	case len(d.digits) == 0:
		return 0
	case d.negative:
		return -1
	}
	return 1
}

func (d decimal) compare(other decimal) int {
	if c := cmp.Compare(d.sign(), other.sign()); c != 0 {
		return c
	}
	return d.sign() * cmp.Or(cmp.Compare(d.point, other.point), bytes.Compare(d.digits, other.digits))
}

// bound is a minimum or maximum, once to compare with and once to show.
type bound struct {
	decimal
	rat *big.Rat
}

// newBound returns nil for nil, and false for a number that no decimal can say.
func newBound(r *big.Rat) (*bound, bool) {
	if r == nil {
		return nil, true
	}
	n, exact := r.FloatPrec()
	return &bound{parseDecimal(r.FloatString(n), nil), r}, exact
}
