package jsonschema

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mcpworks/internal/rawjson"
)

// A small world of names and values makes schemas and values meet.
var (
	memberNames = rapid.SampledFrom([]string{"a", "b", "c"})
	scalars     = rapid.SampledFrom([]string{`null`, `true`, `""`, `"a"`, `"ab"`, `0`, `1`, `-2`, `1.0`, `2.5`, `1e2`, `9223372036854775808`})
	keywords    = rapid.SampledFrom([]string{
		`"type":"object"`, `"type":"string"`, `"type":["integer","null"]`, `"type":"number"`, `"type":"array"`,
		`"enum":["a",""]`, `"const":"a"`, `"const":1`, `"enum":[null,"a"]`, `"required":["a"]`, `"required":["b","a"]`,
		`"minLength":1`, `"maxLength":1`, `"minItems":1`, `"maxItems":1`, `"minimum":1`, `"maximum":1`, `"minimum":0.5`,
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

// What a shape accepts, the library accepts.
func TestShapeAcceptsOnlyValidValues(t *testing.T) {
	shapes, accepted := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		raw := drawSchema(t, 0)
		s, err := Compile([]byte(raw))
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		if s.shape == nil {
			return
		}
		shapes++
		for range 5 {
			text := drawValue(t, 0)
			v, err := rawjson.Decode([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if !s.shape.fits(v) {
				continue
			}
			accepted++
			if err := s.compiled.Validate(v); err != nil {
				t.Fatalf("%s accepts %s: %v", raw, text, err)
			}
		}
	})
	if shapes == 0 || accepted == 0 {
		t.Errorf("%d shapes accepted %d values", shapes, accepted)
	}
}

var benchmarkSchema = []byte(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`)

func BenchmarkValidate(b *testing.B) {
	s, err := Compile(benchmarkSchema)
	if err != nil {
		b.Fatal(err)
	}
	valid, invalid := map[string]any{"text": "hello"}, map[string]any{"text": 1}
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
