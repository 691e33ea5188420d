package launch_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"mcpworks/internal/jsonschema"
	"mcpworks/internal/rawjson"
	"mcpworks/packs/launch"
)

// errorShape is an error answer as 3.6 has it.
const errorShape = `{"type":"object","required":["jsonrpc","id","error"],"additionalProperties":false,"properties":{"jsonrpc":{"const":"2.0"},"id":{},
	"error":{"type":"object","required":["code","message","data"],"additionalProperties":false,"properties":{
		"code":{"enum":[-32700,-32600,-32601,-32602,-32603]},"message":{"type":"string","minLength":1},
		"data":{"type":"object","required":["error_code","code","retryable","details","request_id","tool_name"],"additionalProperties":false,"properties":{
			"error_code":{"type":"string","pattern":"^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$"},"code":{"type":"string","pattern":"^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$"},
			"tool_name":{"type":"string"},"run_id":{"type":"string"},"retryable":{"type":"boolean"},"details":{"type":"object"},"suggested_fix":{"type":"string"},
			"request_id":{"type":"string","pattern":"^req_"},
			"retry":{"type":"object","required":["strategy","after_ms","max_attempts"],"properties":{
				"strategy":{"const":"exponential"},"after_ms":{"type":"integer","minimum":1},"max_attempts":{"const":5}}}},
			"if":{"properties":{"retryable":{"const":true}}},"then":{"required":["retry"]},"else":{"not":{"required":["retry"]}}}}}}}`

func compiled(t *testing.T, schema []byte) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.Compile(schema)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func decoded(t *testing.T, text []byte) any {
	t.Helper()
	value, err := rawjson.Decode(text)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return value
}

// S-23, S-34: the errors of calls have the members of 3.6 and no others.
func TestS23Shape(t *testing.T) {
	h := newHouse(t, launch.Config{CallsPerMinute: 9}, nil, false)
	s := h.open(t)
	shape := compiled(t, []byte(errorShape))
	run := s.start("one")
	seen := map[string]bool{}
	for _, call := range []struct{ tool, arguments, errorCode string }{
		{"no_such_tool", `{}`, "MCP_TOOL_NOT_FOUND"},
		{"get_run_status", `{}`, "SCHEMA_VALIDATION_FAILED"},
		{"get_run_status", `{"run_id":"no_such_run"}`, "ORCHESTRATOR_RUN_NOT_FOUND"},
		{"get_artifact", `{"run_id":"` + run + `","artifact_name":"../x"}`, "POLICY_PATH_TRAVERSAL"},
		{"get_artifact", `{"run_id":"` + run + `","artifact_name":"reports/none.md"}`, "ORCHESTRATOR_ARTIFACT_NOT_FOUND"},
		{"validate_run", `{"run_id":"` + run + `"}`, "ORCHESTRATOR_ILLEGAL_STATE"}, // it is queued: retryable
		{"launch_start_run", `{"run_config":` + runConfig(map[string]any{"family": "x"}) + `,"idempotency_key":"one"}`, "MCP_IDEMPOTENCY_CONFLICT"},
		{"list_runs", `{"cursor":"nonsense"}`, "MCP_INVALID_INPUT"},
		{"list_runs", `{}`, "MCP_RATE_LIMITED"},
	} {
		s.send(`{"jsonrpc":"2.0","id":"` + call.errorCode + `","method":"tools/call","params":{"name":"` + call.tool + `","arguments":` + call.arguments + `}}`)
		r, text := s.next()
		if got := codeOf(r); got != call.errorCode {
			t.Errorf("%s is answered with %s", call.tool, text)
		}
		if violations := shape.Validate(decoded(t, []byte(text))); len(violations) > 0 || string(r.ID) != `"`+call.errorCode+`"` {
			t.Errorf("%v in %s", violations, text)
		}
		seen[call.errorCode] = *r.Error.Data.Retryable
	}
	for _, retryable := range []string{"ORCHESTRATOR_ILLEGAL_STATE", "MCP_RATE_LIMITED"} {
		if !seen[retryable] {
			t.Errorf("S-34: %s cannot be tried again", retryable)
		}
	}
}

// S-23, S-25, S-31: what wrong arguments are answered with lists each violation
// with its place, and suggests arguments that the tool's schema takes.
func TestS23SuggestedArguments(t *testing.T) {
	s := newHouse(t, launch.Config{}, nil, false).open(t)
	var list struct {
		Tools []struct {
			Name        string
			InputSchema json.RawMessage
		}
	}
	if err := json.Unmarshal(s.ask("tools/list", "{}").Result, &list); err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		r := s.call(tool.Name, `{"nonsense":1,"rubbish":2}`)
		r.wants(t, -32602, "SCHEMA_VALIDATION_FAILED")
		paths := map[string]bool{}
		violations, _ := r.Error.Data.Details["violations"].([]any)
		for _, v := range violations {
			members, _ := v.(map[string]any)
			if path, ok := members["path"].(string); ok && members["message"] != "" && members["keyword"] != "" {
				paths[path] = true
			}
		}
		if !paths["/nonsense"] || !paths["/rubbish"] {
			t.Errorf("%s: the violations are at %v", tool.Name, slices.Sorted(maps.Keys(paths)))
		}
		if r.Error.Data.ToolName != tool.Name {
			t.Errorf("%s calls itself %s", tool.Name, r.Error.Data.ToolName)
		}
		if wrong := compiled(t, tool.InputSchema).Validate(decoded(t, []byte(r.Error.Data.SuggestedFix))); len(wrong) > 0 {
			t.Errorf("%s suggests %s: %v", tool.Name, r.Error.Data.SuggestedFix, wrong)
		}
	}
}
