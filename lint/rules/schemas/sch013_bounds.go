package schemas

import (
	"strconv"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var bounds = lint.Rule{
	ID: "SCH-013", Slug: "bounds",
	Title:    "no lower bound is above the upper one",
	Severity: lint.Error, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	What: "Compares minimum and maximum (exclusive ones included), minLength and maxLength, minItems and maxItems, minProperties and maxProperties, minContains and maxContains wherever a schema has both.",
	Why:  "No value fits such a schema, so the argument cannot be given and a tool that requires it cannot be called.",
	Bad:  `{"type":"integer","minimum":100,"maximum":10}`,
	Good: `{"type":"integer","minimum":10,"maximum":100}`,
	Fix:  "Exchange or correct the bounds.",
	Check: func(v *lint.View) {
		v.NotApplicable("no schema has two bounds")
		each(documents(v), func(n *node) {
			for _, pair := range boundPairs {
				low, lowOK := number(n.member(pair.low))
				high, highOK := number(n.member(pair.high))
				if !lowOK || !highOK {
					continue
				}
				v.Saw()
				strict := pair.strict || pair.low == "minimum" && (isTrue(n.member("exclusiveMinimum")) || isTrue(n.member("exclusiveMaximum")))
				if low > high || strict && low == high {
					n.failf("/"+pair.low, "%s is not below %s", pair.low, pair.high)
				}
			}
		})
	},
}

// Of strict pairs the bounds themselves are not allowed either.
var boundPairs = []struct {
	low, high string
	strict    bool
}{
	{"minimum", "maximum", false}, {"exclusiveMinimum", "maximum", true}, {"minimum", "exclusiveMaximum", true},
	{"exclusiveMinimum", "exclusiveMaximum", true}, {"minLength", "maxLength", false}, {"minItems", "maxItems", false},
	{"minProperties", "maxProperties", false}, {"minContains", "maxContains", false},
}

func number(raw []byte) (value float64, ok bool) {
	if rawjson.KindOf(raw) != rawjson.Number {
		return 0, false
	}
	value, err := strconv.ParseFloat(string(raw), 64)
	return value, err == nil
}

func isTrue(raw []byte) bool { return string(raw) == "true" }
