package mcp_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/mcp"
)

// A7.3.2: only marked properties that are reached through properties are
// mirrored.
func TestHeaderParams(t *testing.T) {
	schema := `{"type":"object","properties":{
		"z":{"type":"string","x-mcp-header":"Zone"},
		"deep":{"type":"object","properties":{"flag":{"x-mcp-header":"Flag","type":"boolean"},"other":{"type":"number"}}},
		"properties":{"properties":{"x-mcp-header":{"type":"integer","x-mcp-header":"Odd"}}}}}`
	got, err := mcp.HeaderParams([]byte(schema))
	want := []mcp.HeaderParam{{"Zone", []string{"z"}}, {"Flag", []string{"deep", "flag"}}, {"Odd", []string{"properties", "x-mcp-header"}}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
}

// A7.3.2: marks that break the rules.
func TestHeaderParamsThatBreakTheRules(t *testing.T) {
	for schema, want := range map[string]string{
		`{"properties":{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}}`:                                      "x-mcp-header A stands where no argument is",
		`{"type":"string","x-mcp-header":"A"}`:                                                                                    "x-mcp-header A stands where no argument is",
		`{"anyOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]}`:                                                   "x-mcp-header A stands where no argument is",
		`{"$defs":{"d":{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}}}`:                                               "x-mcp-header A stands where no argument is",
		`{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}`:                                                               "x-mcp-header A needs a string, an integer or a boolean",
		`{"properties":{"a":{"type":["string","null"],"x-mcp-header":"A"}}}`:                                                      "x-mcp-header A needs a string, an integer or a boolean",
		`{"properties":{"a":{"x-mcp-header":"A"}}}`:                                                                               "x-mcp-header A needs a string, an integer or a boolean",
		`{"properties":{"a":{"type":"string","x-mcp-header":"A b"}}}`:                                                             "x-mcp-header must be a token of HTTP",
		`{"properties":{"a":{"type":"string","x-mcp-header":""}}}`:                                                                "x-mcp-header must be a token of HTTP",
		`{"properties":{"a":{"type":"string","x-mcp-header":7}}}`:                                                                 "x-mcp-header must be a token of HTTP",
		`{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"properties":{"c":{"type":"string","x-mcp-header":"a"}}}}}`: "x-mcp-header a is there twice",
	} {
		if _, err := mcp.HeaderParams([]byte(schema)); err == nil || err.Error() != want {
			t.Errorf("%s gives %v, want %q", schema, err, want)
		}
	}
}
