package calls

import (
	"fmt"
	"strings"
	"testing"
)

// B2: generated arguments fit the schema, and are always the same.
func TestGenerate(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"object"}`: `{}`,
		`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a"]}`:                                                                                             `{"a":"example"}`,
		`{"type":"object","properties":{"n":{"type":"integer","minimum":5,"maximum":9,"multipleOf":4}},"required":["n"]}`:                                                                            `{"n":8}`,
		`{"type":"object","properties":{"n":{"type":"number","exclusiveMaximum":0}},"required":["n"]}`:                                                                                               `{"n":-1}`,
		`{"type":"object","properties":{"s":{"enum":["x","y"]},"d":{"type":"string","default":"z"}},"required":["s","d"]}`:                                                                           `{"s":"x","d":"z"}`,
		`{"type":"object","properties":{"s":{"type":"string","minLength":10}},"required":["s"]}`:                                                                                                     `{"s":"exampleexa"}`,
		`{"type":"object","properties":{"s":{"type":"string","pattern":"^[0-9]{5}$"}},"required":["s"]}`:                                                                                             `{"s":"12345"}`,
		`{"type":"object","properties":{"s":{"type":"string","format":"date-time"}},"required":["s"]}`:                                                                                               `{"s":"2026-01-15T12:00:00Z"}`,
		`{"type":"object","properties":{"l":{"type":"array","items":{"type":"boolean"},"minItems":2}},"required":["l"]}`:                                                                             `{"l":[false,false]}`,
		`{"type":"object","properties":{"o":{"$ref":"#/$defs/o"}},"required":["o"],"$defs":{"o":{"type":"object","properties":{"x":{"type":["null","string"]}},"required":["x"]}}}`:                  `{"o":{"x":"example"}}`,
		`{"type":"object","properties":{"a":{"anyOf":[{"type":"null"},{"type":"string"}]}},"required":["a"]}`:                                                                                        `{"a":null}`,
		`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"allOf":[{"required":["b"]}],"oneOf":[{"required":["a","c"]},{"required":["a"]}],"additionalProperties":false}`: `{"b":"example","a":"example"}`,
	} {
		for range 3 {
			if got, ok := generate([]byte(schema)); !ok || got != want {
				t.Errorf("%s: %s, %v, want %s", schema, got, ok, want)
			}
		}
	}
}

// D2.66: what cannot be made is given up.
func TestGenerateGivesUp(t *testing.T) {
	deep := strings.Repeat(`{"type":"object","required":["a"],"properties":{"a":`, 20) + `{"type":"string"}` + strings.Repeat(`}}`, 20)
	var wide strings.Builder
	for i := range 300 {
		fmt.Fprintf(&wide, `"p%d",`, i)
	}
	for _, schema := range []string{
		``, `true`, `{"type":"object","required":["a"],"properties":{"a":false}}`, `{"$ref":"#"}`, `{"not":{}}`, deep,
		`{"type":"object","required":[` + wide.String() + `"z"]}`,
		`{"type":"object","required":["a"],"properties":{"a":{"$ref":"#"}}}`,
		`{"type":"object","required":["a"],"properties":{"a":{"type":"string","minLength":100000}}}`,
		`{"type":"object","required":["a"],"properties":{"a":{"$ref":"https://example.com/"}}}`,
	} {
		if got, ok := generate([]byte(schema)); ok {
			t.Errorf("%.80s: %.80s", schema, got)
		}
	}
}

func TestSpoiled(t *testing.T) {
	schema := `{"type":"object","properties":{"d":{"type":"string","default":"x"},"a":{"type":"string"},"h":{"type":"integer","x-mcp-header":"H"},"n":{"type":"number"}},"required":["d","a","h"]}`
	arguments, ok := generate([]byte(schema))
	if !ok {
		t.Fatal("no arguments")
	}
	spoiled := &tool{schema: []byte(schema), arguments: arguments, marks: marksOf([]byte(schema))}
	if got, ok := withoutRequired(spoiled); !ok || got != `{"d":"x","h":1}` {
		t.Errorf("without a required argument: %s, %v", got, ok)
	}
	want := `{"d":{"unexpected":true},"a":{"unexpected":true},"h":1,"n":"not a number"}`
	if got, ok := withWrongTypes(spoiled); !ok || got != want {
		t.Errorf("with wrong types: %s, %v", got, ok)
	}
	plain := &tool{schema: []byte(`{"type":"object","properties":{"a":{}}}`), arguments: `{}`}
	if _, ok := withoutRequired(plain); ok {
		t.Error("nothing is required")
	}
	if _, ok := withWrongTypes(plain); ok {
		t.Error("nothing has a type")
	}
}

// MOD-021
func TestFlipped(t *testing.T) {
	for text, want := range map[string]string{"abcd": "abAd", "AAAA": "AABA", "aé": "Aé"} {
		if got := flipped(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
