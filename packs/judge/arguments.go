package judge

import (
	"encoding/json"
	"math"
	"strings"
)

// arguments are a call's arguments as decoded JSON. Null counts as absent, and
// unknown ones are ignored (section 5).
type arguments map[string]any

// text returns a string argument without outer white space. ok is false if it
// is there and not a string.
func (a arguments) text(name string) (text string, ok bool) {
	value := a[name]
	if value == nil {
		return "", true
	}
	text, ok = value.(string)
	return strings.TrimSpace(text), ok
}

// number returns a numeric argument, or its default. ok is false if it is
// there and not a number.
func (a arguments) number(name string, fallback float64) (n float64, ok bool) {
	value := a[name]
	if value == nil {
		return fallback, true
	}
	literal, ok := value.(json.Number)
	if !ok {
		return 0, false
	}
	n, err := literal.Float64()
	return n, err == nil
}

func isWhole(n float64) bool { return n == math.Trunc(n) }

// isDots says whether a text would change the path it becomes part of.
func isDots(text string) bool { return text == "." || text == ".." }
