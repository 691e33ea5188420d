package jsonschema

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"mcpworks/internal/rawjson"
)

// A11.3, SCH-001: each dialect is judged by its own meta-schema.
func TestFaults(t *testing.T) {
	for _, tt := range []struct{ dialect, schema, want string }{
		{Draft2020, `{"type":"object","properties":{"a":{"type":"string","pattern":"(?=a)"}}}`, ""},
		{Draft2020, `{"type":"objekt"}`, "/type"},
		{Draft2020, `{"items":[{}]}`, "/items"},
		{Draft2020, `{"$schema":"http://json-schema.org/draft-07/schema#","minLength":-1}`, "/minLength"},
		{Draft2019, `{"items":[{}],"unevaluatedProperties":3}`, "/unevaluatedProperties"},
		{Draft7, `{"items":[{}],"pattern":"(?!a)","if":{}}`, ""},
		{Draft7, `{"properties":{"a":{"required":true}}}`, "/properties/a/required"},
		{Draft6, `{"exclusiveMinimum":true}`, "/exclusiveMinimum"},
		{Draft4, `{"minimum":1,"exclusiveMinimum":true}`, ""},
		{Draft4, `{"minimum":1,"exclusiveMinimum":2}`, "/exclusiveMinimum"},
	} {
		f, err := ReadForeign([]byte(tt.schema), tt.dialect)
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, v := range f.Faults() {
			paths = append(paths, v.Path)
		}
		if got := strings.Join(paths, " "); got != tt.want {
			t.Errorf("%s in %s: faults at %q, want %q", tt.schema, tt.dialect, got, tt.want)
		}
	}
}

func TestDialectOf(t *testing.T) {
	for name, want := range map[string]string{
		"http://json-schema.org/draft-07/schema#":       Draft7,
		"https://json-schema.org/draft-07/schema":       Draft7,
		"http://json-schema.org/draft/2020-12/schema#":  Draft2020,
		"https://json-schema.org/draft/2020-13/schema":  "",
		"json-schema.org/draft-07/schema":               "",
		"https://json-schema.org/draft/2019-09/schema#": Draft2019,
	} {
		if got, ok := DialectOf(name); got != want || ok != (want != "") {
			t.Errorf("%s is %q, %v", name, got, ok)
		}
	}
}

// SCH-012, SCH-027: parts of a schema are used with what they refer to.
func TestForeignParts(t *testing.T) {
	f, err := ReadForeign([]byte(`{"$schema":"http://json-schema.org/draft-07/schema","definitions":{"a b%":{"type":"string","minLength":2}},
		"properties":{"x/y":{"$ref":"#/definitions/a%20b%25"},"z":{"pattern":"(?=a)b"}}}`), Draft7)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		pointer, value string
		valid          bool
	}{
		{"/properties/x~1y", `"ab"`, true},
		{"/properties/x~1y", `"a"`, false},
		{"/definitions/a b%", `1`, false},
		{"/properties/z", `"c"`, true},
	} {
		list, err := f.Validate(tt.pointer, mustDecode(t, tt.value))
		if err != nil || (list == nil) != tt.valid {
			t.Errorf("%s at %s: %v, %v", tt.value, tt.pointer, list, err)
		}
	}
}

func TestForeignRefersOutside(t *testing.T) {
	f, err := ReadForeign([]byte(`{"properties":{"a":{"$ref":"http://other/"}}}`), Draft2020)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Validate("", nil); err == nil || err.Error() != `compile schema: reference to "http://other/", which is not in the document` {
		t.Error(err)
	}
}

// D2.66: a few lines of schema cannot keep the checker busy for long.
func TestForeignCost(t *testing.T) {
	var doubling strings.Builder
	for i := range 40 {
		fmt.Fprintf(&doubling, `"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	for about, tt := range map[string]struct {
		schema, value string
		costly        bool
	}{
		"doubling":             {`{"$defs":{` + doubling.String() + `"d40":{}},"$ref":"#/$defs/d0"}`, `1`, true},
		"recursive, deep":      {`{"items":{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}}`, strings.Repeat("[", 60) + strings.Repeat("]", 60), true},
		"recursive, flat":      {`{"items":{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}}`, `[[]]`, false},
		"itself":               {`{"$ref":"#"}`, `1`, false},
		"many values":          {`{"items":{"anyOf":[{"type":"null"},{"type":"string"}]}}`, listOf(800_000, `""`), true},
		"as many as there are": {`{"items":{"type":"string"}}`, listOf(10_000, `""`), false},
	} {
		f, err := ReadForeign([]byte(tt.schema), Draft2020)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Validate("", mustDecode(t, tt.value)); errors.Is(err, ErrTooCostly) != tt.costly {
			t.Errorf("%s: %v", about, err)
		}
	}
}

// SCH-028
func TestMeasure(t *testing.T) {
	chain := `{"$defs":{"d0":{}`
	for i := range 3 {
		chain += fmt.Sprintf(`,"d%d":{"properties":{"a":{"$ref":"#/$defs/d%d"},"b":{"$ref":"#/$defs/d%d"}}}`, i+1, i, i)
	}
	for _, tt := range []struct {
		schema string
		want   Extent
	}{
		{`true`, Extent{Schemas: 1, Depth: 1}},
		{`{"properties":{"a":{},"b":{"items":{}}}}`, Extent{Schemas: 4, Depth: 3}},
		{`{"$defs":{"unused":{}},"type":"object"}`, Extent{Schemas: 1, Depth: 1}},
		{`{"$defs":{"a":{"not":{}}},"$ref":"#/$defs/a"}`, Extent{Schemas: 3, Depth: 3}},
		{`{"properties":{"a":{"$ref":"#"}}}`, Extent{Schemas: 2, Depth: 2, Recursive: true}},
		{`{"properties":{"a":{"properties":{"b":{"$ref":"#/properties/a"}}}}}`, Extent{Schemas: 5, Depth: 5, Recursive: true}},
		{chain + `},"$ref":"#/$defs/d3"}`, Extent{Schemas: 30, Depth: 8}},
	} {
		if got := Measure([]byte(tt.schema)); got != tt.want {
			t.Errorf("%s has %+v, want %+v", tt.schema, got, tt.want)
		}
	}
}

func TestReferences(t *testing.T) {
	for _, tt := range []struct {
		schema, ref string
		pointer     string
		landing     Landing
	}{
		{`{"$defs":{"a/b":{}}}`, "#/$defs/a~1b", "/$defs/a~1b", Found},
		{`{"$defs":{"a b":{}}}`, "#/$defs/a%20b", "/$defs/a b", Found},
		{`{"$defs":{"a":{"$anchor":"here"}}}`, "#here", "/$defs/a", Found},
		{`{"$defs":{"a":{}}}`, "#/$defs/b", "", Missing},
		{`{"$defs":{"a":{}}}`, "#b", "", Missing},
		{`{"items":[{},{"not":{}}]}`, "#/items/1/not", "/items/1/not", Found},
		{`{"properties":{"$ref":{}}}`, "other.json#/a", "", Outside},
		{`{"$id":"https://sample/root.json","$defs":{"a":{"$id":"item.json","$defs":{"b":{}}}}}`, "item.json#/$defs/b", "/$defs/a/$defs/b", Found},
		{`{"$id":"https://sample/root.json"}`, "https://sample/root.json", "", Found},
		{`{"id":"https://sample/root.json"}`, "https://sample/root.json", "", Outside},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","id":"https://sample/root.json"}`, "https://sample/root.json#", "", Found},
		{`{"definitions":{"a":{"$id":"#old"}}}`, "#old", "/definitions/a", Found},
	} {
		refs := FindReferences([]byte(tt.schema))
		pointer, _, landing := refs.Resolve(refs.Base("", []byte(tt.schema)), tt.ref)
		if pointer != tt.pointer || landing != tt.landing {
			t.Errorf("%s in %s leads to %q, %v", tt.ref, tt.schema, pointer, landing)
		}
	}
}

// D2.66: long names are not kept once for each that is relative to them. What is
// left out then is not called missing.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("a", 200<<10)
	for _, around := range []string{`{"$id":"http://x/` + long + `/","properties":{`, `{"properties":{"` + long + `":{"properties":{`} {
		var schema strings.Builder
		schema.WriteString(around)
		for i := range 1000 {
			fmt.Fprintf(&schema, `"%d":{"$id":"b%[1]d","$anchor":"c%[1]d","$ref":"#/d%[1]d"},`, i)
		}
		schema.WriteString(`"last":{}` + strings.Repeat("}", strings.Count(around, "{")))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		Measure([]byte(schema.String()))
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 32<<20 {
			t.Errorf("%d bytes take %d", schema.Len(), used)
		}
		if _, _, landing := FindReferences([]byte(schema.String())).Resolve("", "#c1"); landing == Missing {
			t.Error("an anchor behind a long name is called missing")
		}
	}
}

// D2.66
func FuzzForeign(f *testing.F) {
	f.Add(`{"$id":"a","$defs":{"b":{"$anchor":"c","items":[{"$ref":"#c"}]}},"properties":{"d":{"$ref":"#/$defs/b"}}}`, `[1]`)
	f.Add(`{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/a"}]}}}`, `{}`)
	f.Fuzz(func(t *testing.T, schema, value string) {
		limits := rawjson.Limits{Depth: 100}
		if rawjson.Check([]byte(schema), limits) != nil || rawjson.Check([]byte(value), limits) != nil {
			return
		}
		v, err := rawjson.Decode([]byte(value))
		if err != nil {
			return
		}
		if e := Measure([]byte(schema)); e.Schemas < 1 || e.Depth < 1 {
			t.Fatalf("%s has %+v", schema, e)
		}
		foreign, err := ReadForeign([]byte(schema), Draft2020)
		if err != nil {
			return
		}
		foreign.Faults()
		if list, err := foreign.Validate("", v); err != nil && list != nil {
			t.Fatalf("%s: %v, %v", schema, list, err)
		}
	})
}
