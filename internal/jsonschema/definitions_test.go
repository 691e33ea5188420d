package jsonschema_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/internal/jsonschema"
)

const zoo = `{"$defs":{
	"Cat": {"type":"object","properties":{"kind":{"const":"cat"},"lives":{"type":"integer","maximum":9},"kittens":{"items":{"$ref":"#/$defs/Cat"}}},"required":["kind","lives"]},
	"Dog": {"type":"object","properties":{"kind":{"enum":["dog","puppy"]},"tricks":{"type":"array","items":{"type":"string"}}},"required":["kind","tricks"]},
	"Animal": {"anyOf":[{"$ref":"#/$defs/Cat"},{"$ref":"#/$defs/Dog"}]},
	"Zoo": {"type":"array","items":{"$ref":"#/$defs/Animal"}},
	"Box": {"anyOf":[{"type":"object","required":["text"],"properties":{"text":{"type":"string"}}},{"type":"object","required":["blob"]},{"type":"array","items":{"type":"string"}}]},
	"Code": {"const":-32042},
	"Tree": {"anyOf":[{"type":"string"},{"type":"array","items":{"$ref":"#/$defs/Tree"}}]}
}}`

func TestExplain(t *testing.T) {
	definitions, err := jsonschema.CompileDefinitions([]byte(zoo))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, value string
		want        []string
	}{
		{"Zoo", `[{"kind":"cat","lives":9,"kittens":[{"kind":"cat","lives":1}]},{"kind":"puppy","tricks":[]}]`, nil},
		{"Zoo", `[{"kind":"cat","lives":10}]`, []string{`/0/lives: maximum: must be <= 9`}},
		{"Zoo", `[{"kind":"dog","tricks":[1]}]`, []string{`/0/tricks/0: type: must be string, got number`}},
		{"Zoo", `[{"kind":"cow"}]`, []string{`/0/kind: enum: must be one of "cat", "dog", "puppy"`}},
		{"Zoo", `[{"lives":1}]`, []string{`/0/kind: required: is required`}},
		{"Zoo", `[{}]`, []string{`/0/kind: required: is required`}},
		{"Zoo", `["cat"]`, []string{`/0: type: must be object, got string`}},
		{"Zoo", `[{"kind":"cat","lives":1,"kittens":[{"kind":"cat"}]}]`, []string{`/0/kittens/0/lives: required: is required`}},
		{"Box", `{"text":1}`, []string{`/text: type: must be string, got number`}},
		{"Box", `{}`, []string{`: anyOf: fits none of the allowed forms: /text is required; /blob is required`}},
		{"Box", `["a",1]`, []string{`/1: type: must be string, got number`}},
		{"Code", `-3.2042e4`, nil},
		{"Code", `-32041`, []string{`: const: must be -32042`}},
		{"Code", `"-32042"`, []string{`: const: must be -32042`}},
		{"Tree", strings.Repeat("[", 500) + `"a"` + strings.Repeat("]", 500), nil},
		{"Tree", `["a",["b",[1]]]`, []string{`/1/1/0: anyOf: fits none of the allowed forms: must be string, got number; must be array, got number`}},
	} {
		got := lines(definitions[tt.name].Explain(decode(t, []byte(tt.value)), 50))
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s %.80s (-want +got):\n%s", tt.name, tt.value, diff)
		}
	}
}

// A value that is deep and wrong at its bottom is not tried again at every level.
func TestExplainIsNotExponential(t *testing.T) {
	definitions, err := jsonschema.CompileDefinitions([]byte(zoo))
	if err != nil {
		t.Fatal(err)
	}
	const depth = 60
	v := decode(t, []byte(strings.Repeat("[", depth)+"1"+strings.Repeat("]", depth)))
	list := definitions["Tree"].Explain(v, 50)
	if len(list) != 1 || list[0].Path != strings.Repeat("/0", depth) {
		t.Errorf("%v", list)
	}
}

func TestExplainHasALimit(t *testing.T) {
	definitions, err := jsonschema.CompileDefinitions([]byte(zoo))
	if err != nil {
		t.Fatal(err)
	}
	v := decode(t, []byte("["+strings.Repeat(`{"kind":"cow"},`, 999)+"1]"))
	if n := len(definitions["Zoo"].Explain(v, 50)); n != 50 {
		t.Errorf("%d violations", n)
	}
}

func TestCompileDefinitionsRefuses(t *testing.T) {
	for _, tt := range []struct{ document, want string }{
		{`[]`, "neither an object nor a boolean"},
		{`{"$defs":{"A":{"$ref":"#/$defs/B"}}}`, `definition "A"`},
		{`{"$defs":{"A":{"not":{"type":"null"}}}}`, `definition "A": says more`},
		{`{"$defs":{"A":{"properties":{"b":{"const":{}}}}}}`, `definition "A": says more`},
		{`{"$defs":{"A":{"$ref":"#/$defs/B"},"B":{"allOf":[{"$ref":"#/$defs/A"}]}}}`, `definition "A": contains itself`},
	} {
		if _, err := jsonschema.CompileDefinitions([]byte(tt.document)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.document, err)
		}
	}
}

// A reference in a schema from outside is for the library to follow.
func TestReferencesOutsideDefinitions(t *testing.T) {
	s, err := jsonschema.Compile([]byte(`{"$defs":{"A":{"const":1}},"$ref":"#/$defs/A"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{": const: must be 1"}
	if diff := cmp.Diff(want, lines(s.Explain(decode(t, []byte("2")), 50))); diff != "" {
		t.Error(diff)
	}
}

// What a schema of our own checks may be of any size, and is checked as the
// library would.
func TestCompileOwn(t *testing.T) {
	s, err := jsonschema.CompileOwn([]byte(`{"$id":"shelf/1.0","type":"object","additionalProperties":false,"properties":{"books":{"type":"array","items":{"$ref":"#/$defs/Book"}}},
		"$defs":{"Book":{"type":"object","required":["title"],"properties":{"title":{"type":"string"},"lent":{"enum":[true,false,null,"lost"]}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	shelf := func(last string) string {
		return `{"books":[` + strings.Repeat(`{"title":"a","lent":true},{"title":"b","lent":null},`, 40_000) + last + `]}`
	}
	for last, want := range map[string][]string{
		`{"title":"c","lent":"lost"}`: nil,
		`{"title":"c","lent":"sold"}`: {`/books/80000/lent: enum: must be one of true, false, null, "lost"`},
		`{"lent":false}`:              {`/books/80000/title: required: is required`},
	} {
		if diff := cmp.Diff(want, lines(s.Validate(decode(t, []byte(shelf(last)))))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", last, diff)
		}
	}
	for schema, want := range map[string]string{
		`{"not":{"type":"null"}}`: "says more",
		`{"properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"anyOf":[{"$ref":"#/$defs/A"}]}}}`: "contains itself",
	} {
		if _, err := jsonschema.CompileOwn([]byte(schema)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", schema, err)
		}
	}
}
