package jsonschema

import (
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	lib "github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"mcpworks/internal/rawjson"
)

// A small world of names and values makes schemas and values meet.
var (
	memberNames = rapid.SampledFrom([]string{"a", "b", "c"})
	scalars     = rapid.SampledFrom([]string{`null`, `true`, `""`, `"a"`, `"ab"`, `0`, `1`, `-2`, `1.0`, `2.5`, `1e2`, `0.5e0`, `9223372036854775808`})
	keywords    = rapid.SampledFrom([]string{
		`"type":"object"`, `"type":"string"`, `"type":["integer","null"]`, `"type":"number"`, `"type":"array"`,
		`"enum":["a",""]`, `"const":"a"`, `"const":1`, `"enum":[null,"a"]`, `"required":["a"]`, `"required":["b","a"]`,
		`"minLength":1`, `"maxLength":1`, `"minItems":1`, `"maxItems":1`, `"minimum":1`, `"maximum":1`, `"minimum":0.5`, `"enum":[]`,
		`"pattern":"^a"`, `"additionalProperties":false`, `"uniqueItems":true`, `"title":"t"`, `"default":{}`,
	})
	applicators = rapid.SampledFrom([]string{`"additionalProperties"`, `"items"`, `"not"`, `"unevaluatedProperties"`})
	groups      = rapid.SampledFrom([]string{`"allOf"`, `"anyOf"`, `"oneOf"`})
)

func drawSchema(t *rapid.T, depth int) string {
	if rapid.IntRange(0, 9).Draw(t, "bool") == 0 {
		return rapid.SampledFrom([]string{"true", "false"}).Draw(t, "schema")
	}
	members := map[string]bool{} // by keyword
	text := "{"
	add := func(member string) {
		name, _, _ := strings.Cut(member, ":")
		if members[name] {
			return
		}
		if members[name] = true; len(members) > 1 {
			text += ","
		}
		text += member
	}
	for range rapid.IntRange(0, 3).Draw(t, "keywords") {
		add(keywords.Draw(t, "keyword"))
	}
	if depth < 3 {
		switch rapid.IntRange(0, 3).Draw(t, "nested") {
		case 0:
			add(applicators.Draw(t, "applicator") + ":" + drawSchema(t, depth+1))
		case 1:
			add(groups.Draw(t, "group") + ":[" + drawSchema(t, depth+1) + "," + drawSchema(t, depth+1) + "]")
		case 2:
			add(`"properties":{"a":` + drawSchema(t, depth+1) + `,"b":` + drawSchema(t, depth+1) + `}`)
		}
	}
	return text + "}"
}

func drawValue(t *rapid.T, depth int) string {
	if depth < 3 {
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			text := "["
			for i := range rapid.IntRange(0, 2).Draw(t, "elements") {
				if i > 0 {
					text += ","
				}
				text += drawValue(t, depth+1)
			}
			return text + "]"
		case 1, 2:
			text := "{"
			for i, name := range rapid.SliceOfNDistinct(memberNames, 0, 3, rapid.ID).Draw(t, "names") {
				if i > 0 {
					text += ","
				}
				text += `"` + name + `":` + drawValue(t, depth+1)
			}
			return text + "}"
		}
	}
	return scalars.Draw(t, "scalar")
}

// A shape accepts what the library accepts, and has the same words for the rest.
func TestShapeAgreesWithLibrary(t *testing.T) {
	accepted, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		raw := drawSchema(t, 0)
		s, err := Compile([]byte(raw))
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		if s.shape == nil {
			return
		}
		for range 5 {
			text := drawValue(t, 0)
			v, err := rawjson.Decode([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			var want []Violation
			var failure *lib.ValidationError
			if errors.As(s.compiled.Validate(v), &failure) {
				want = violations(failure)
			}
			if s.shape.fits(v) != (want == nil) {
				t.Fatalf("%s fits %s: %v, the library has %v", text, raw, want != nil, want)
			}
			if want == nil {
				accepted++
				continue
			}
			refused++
			// Far fewer than 20, so which of them come first does not matter.
			if diff := cmp.Diff(want, s.shape.violations(v)); diff != "" {
				t.Fatalf("%s, %s (-library +shape):\n%s", raw, text, diff)
			}
		}
	})
	if accepted == 0 || refused == 0 {
		t.Errorf("%d values accepted, %d refused", accepted, refused)
	}
}

func TestDecimalAgreesWithRat(t *testing.T) {
	numbers := rapid.StringMatching(`-?(0|[1-9][0-9]{0,3})(\.[0-9]{1,4})?([eE][+-]?[0-9]{1,2})?`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := numbers.Draw(t, "a"), numbers.Draw(t, "b")
		ratA, _ := new(big.Rat).SetString(a)
		ratB, _ := new(big.Rat).SetString(b)
		if got, want := parseDecimal(a, nil).compare(parseDecimal(b, nil)), ratA.Cmp(ratB); got != want {
			t.Fatalf("%s compared with %s is %d, want %d", a, b, got, want)
		}
		if got, want := isInteger(a), ratA.IsInt(); got != want {
			t.Fatalf("%s is an integer: %v, want %v", a, got, want)
		}
		limit, ok := newBound(ratB)
		if !ok || parseDecimal(a, nil).compare(limit.decimal) != ratA.Cmp(ratB) {
			t.Fatalf("%s compared with the bound %s", a, b)
		}
	})
}

var benchmarkSchema = []byte(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`)

func BenchmarkValidate(b *testing.B) {
	s, err := Compile(benchmarkSchema)
	if err != nil {
		b.Fatal(err)
	}
	valid, invalid := map[string]any{"text": "hello"}, map[string]any{"text": json.Number("1")}
	b.Run("valid", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if s.Validate(valid) != nil {
				b.Fatal("not valid")
			}
		}
	})
	b.Run("valid, by the library", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if s.compiled.Validate(valid) != nil {
				b.Fatal("not valid")
			}
		}
	})
	b.Run("invalid", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if s.Validate(invalid) == nil {
				b.Fatal("valid")
			}
		}
	})
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Compile(benchmarkSchema); err != nil {
			b.Fatal(err)
		}
	}
}
