package jsonschema_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mcpworks/internal/jsonschema"
	"mcpworks/internal/rawjson"
)

// readCases reads a list of cases from testdata.
func readCases(t testing.TB, name string, cases any) {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, cases); err != nil {
		t.Fatal(err)
	}
}

type violationsCase struct {
	About  string
	Schema json.RawMessage
	Values []struct {
		Value json.RawMessage
		Want  []string // path: keyword: message
	}
}

func TestViolations(t *testing.T) {
	var cases []violationsCase
	readCases(t, "violations.json", &cases)
	for _, tt := range cases {
		t.Run(tt.About, func(t *testing.T) {
			schema, err := jsonschema.Compile(tt.Schema)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range tt.Values {
				slices.Sort(v.Want)
				// Map order must not show, so more than one try.
				for range 5 {
					got := lines(schema.Validate(decode(t, v.Value)))
					slices.Sort(got)
					if diff := cmp.Diff(v.Want, got); diff != "" {
						t.Fatalf("%s (-want +got):\n%s", v.Value, diff)
					}
				}
			}
		})
	}
}

func TestViolationsAreInOrder(t *testing.T) {
	schema := compile(t, `{"properties":{"a":{"minimum":5,"multipleOf":2},"b":{"type":"null"}},"required":["c","a"],"maxProperties":1}`)
	got := lines(schema.Validate(decode(t, []byte(`{"b":1,"a":3}`))))
	want := []string{
		": maxProperties: must have at most 1 members, got 2",
		"/a: minimum: must be >= 5",
		"/a: multipleOf: must be a multiple of 2",
		"/b: type: must be null, got number",
		"/c: required: is required",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func lines(list []jsonschema.Violation) []string {
	var lines []string
	for _, v := range list {
		lines = append(lines, fmt.Sprintf("%s: %s: %s", v.Path, v.Keyword, v.Message))
	}
	return lines
}

func TestCompileRefuses(t *testing.T) {
	var cases []struct {
		Schema json.RawMessage
		Error  string
	}
	readCases(t, "refused.json", &cases)
	for _, tt := range cases {
		_, err := jsonschema.Compile(tt.Schema)
		if err == nil {
			t.Errorf("Compile(%s) succeeded", tt.Schema)
		} else if diff := cmp.Diff(tt.Error, err.Error()); diff != "" {
			t.Errorf("Compile(%s) (-want +got):\n%s", tt.Schema, diff)
		}
	}
}

func TestCompileBounds(t *testing.T) {
	for _, tt := range []struct {
		about string
		raw   string
		want  string
	}{
		{"not JSON", `{`, "compile schema: invalid JSON at byte 1: unexpected end"},
		{"empty", ``, "compile schema: invalid JSON at byte 0: unexpected end"},
		{"long", `{"title":"` + strings.Repeat("a", 256<<10) + `"}`, "compile schema: longer than 262144 bytes"},
		{"deep", nest(65), "compile schema: JSON nested too deep"},
		{"just not too deep", nest(64), ""},
		{"wide", `{"allOf":[` + strings.Repeat(`{},`, 4999) + `{}]}`, "compile schema: more than 5000 objects"},
		{"just not too wide", `{"allOf":[` + strings.Repeat(`{},`, 4998) + `{}]}`, ""},
	} {
		_, err := jsonschema.Compile([]byte(tt.raw))
		if got := fmt.Sprint(err); got != tt.want && (err != nil || tt.want != "") {
			t.Errorf("%s: %v, want %s", tt.about, err, tt.want)
		}
	}
}

func nest(depth int) string {
	return strings.Repeat(`{"not":`, depth-1) + "{}" + strings.Repeat("}", depth-1)
}

// A pattern that takes a backtracking engine longer than anybody lives.
func TestPatternTakesLinearTime(t *testing.T) {
	schema := compile(t, `{"pattern":"^(a+)+$"}`)
	start := time.Now()
	if list := schema.Validate(strings.Repeat("a", 50_000) + "!"); len(list) != 1 {
		t.Errorf("violations: %v", list)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

func compile(t testing.TB, schema string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.Compile([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func decode(t testing.TB, raw []byte) any {
	t.Helper()
	v, err := rawjson.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestValidateDoesNotAllocateForPlainSchemas(t *testing.T) {
	for schema, value := range map[string]string{
		`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`:                                                           `{"text":"hello"}`,
		`{"properties":{"n":{"type":"integer","minimum":1,"maximum":50},"s":{"enum":["a","b"]}},"additionalProperties":false}`:                    `{"n":5,"s":"b"}`,
		`{"properties":{"tags":{"type":"array","items":{"type":"string","pattern":"^[a-z]+$"},"maxItems":5},"q":{"anyOf":[{"type":"null"},{}]}}}`: `{"tags":["a","b"],"q":1}`,
	} {
		s, v := compile(t, schema), decode(t, []byte(value))
		if n := testing.AllocsPerRun(100, func() {
			if list := s.Validate(v); list != nil {
				t.Errorf("%s: %v", value, list)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", schema, n)
		}
	}
}

func FuzzSchema(f *testing.F) {
	var cases []violationsCase
	readCases(f, "violations.json", &cases)
	for _, tt := range cases {
		for _, v := range tt.Values {
			f.Add([]byte(tt.Schema), []byte(v.Value))
		}
	}
	f.Fuzz(func(t *testing.T, schema, value []byte) {
		s, err := jsonschema.Compile(schema)
		if err != nil || rawjson.Check(value, rawjson.Limits{Depth: 64}) != nil {
			return
		}
		v, err := rawjson.Decode(value)
		if err != nil {
			return
		}
		if diff := cmp.Diff(s.Validate(v), s.Validate(v)); diff != "" {
			t.Errorf("validated twice:\n%s", diff)
		}
	})
}
