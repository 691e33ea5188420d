package launch_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/packs/launch"
)

// S-21, S-31, S-33: wrong arguments are refused before anything happens, all of
// them at once.
func TestS21WrongArgumentsTouchNothing(t *testing.T) {
	h := newHouse(t, launch.Config{}, nil, false)
	s := h.open(t)
	for _, id := range []string{"seven77", strings.Repeat("x", 65), "has space", "has/slash", "has.dots1", "ünicode1", "../../etc", ""} {
		for _, tool := range []string{"get_run_status", "cancel_run", "resume_run", "validate_run", "launch_open_pr", "get_telemetry"} {
			r := s.call(tool, `{"run_id":`+quote(id)+`}`)
			r.wants(t, -32602, "SCHEMA_VALIDATION_FAILED")
		}
	}
	r := s.call("get_artifact", `{"run_id":"x","artifact_name":"","offset":-1,"max_bytes":1,"more":true}`)
	r.wants(t, -32602, "SCHEMA_VALIDATION_FAILED")
	if found := len(r.Error.Data.Details["violations"].([]any)); found != 5 {
		t.Errorf("S-31: %d violations are told: %v", found, r.Error.Data.Details)
	}
	faults := s.call("launch_start_run", `{"run_config":`+runConfig(map[string]any{
		"github_repo_url": "https://gitlab.example/a/b", "github_ref": strings.Repeat("0", 40), "locales": []string{"en", "tlh"}, "required_sections": []string{"news", "docs"},
		"allowed_paths": []string{"content/blog/"}, "target_platform": "abacus", "ruleset_version": "ruleset.v0", "templates_version": "templates.v0",
		"validation_profile": "prod", "taskcard_id": "TC-99", "llm": map[string]any{"mode": "online"}, "telemetry": map[string]any{"endpoint_url": "https://t.example"},
	})+`}`)
	faults.wants(t, -32602, "MCP_INVALID_INPUT")
	text := fmt.Sprint(faults.Error.Data.Details)
	for _, path := range []string{
		"/github_repo_url", "/github_ref", "/locales/1", "/required_sections/0", "/allowed_paths", "/target_platform", "/ruleset_version", "/templates_version",
		"/budgets", "/taskcard_id", "/llm/mode", "/telemetry/endpoint_url",
	} {
		if !strings.Contains(text, "/run_config"+path+" ") && !strings.Contains(text, "/run_config"+path+"]") {
			t.Errorf("4.3: nothing is said about %s: %s", path, text)
		}
	}
	entries, err := os.ReadDir(filepath.Join(h.dir, "runs"))
	if err != nil || len(entries) != 0 {
		t.Errorf("S-21: there is %v, %v", entries, err)
	}
}

func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(quoted)
}

// S-24, S-23, 3.1, 18.15: whatever is refused, and wherever, says its code, has
// its data, and leaves the connection as it was. What has no id says null.
func TestS24Refusals(t *testing.T) {
	h := newHouse(t, launch.Config{}, nil, false)
	s := h.open(t)
	fresh := connectRaw(t, h)
	for _, test := range []struct {
		on        *session
		frame     string
		id        string
		code      int
		errorCode string
	}{
		{s, `{"jsonrpc":`, "null", -32700, "MCP_PARSE_ERROR"},
		{s, `{"no":"request"}`, "null", -32600, "MCP_INVALID_REQUEST"},
		{s, `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "null", -32600, "MCP_INVALID_REQUEST"},
		{s, `{"jsonrpc":"2.0","id":1,"method":7}`, "1", -32600, "MCP_INVALID_REQUEST"},
		{s, `{"jsonrpc":"2.0","id":2,"method":"no/method"}`, "2", -32601, "MCP_METHOD_NOT_FOUND"},
		{s, `{"jsonrpc":"2.0","id":3,"method":"prompts/list"}`, "3", -32601, "MCP_METHOD_NOT_FOUND"},
		{s, `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"no_such_tool"}}`, "4", -32601, "MCP_TOOL_NOT_FOUND"},
		{s, `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":7}}`, "5", -32602, "SCHEMA_VALIDATION_FAILED"},
		{s, `{"jsonrpc":"2.0","id":6,"method":"tools/call","params":[]}`, "6", -32602, "SCHEMA_VALIDATION_FAILED"},
		{s, `{"jsonrpc":"2.0","id":"6a","method":"tools/call","params":{"name":"list_runs","arguments":[]}}`, `"6a"`, -32602, "SCHEMA_VALIDATION_FAILED"},
		{s, `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":"x"}}`, "7", -32602, "SCHEMA_VALIDATION_FAILED"},
		{s, `{"jsonrpc":"2.0","id":8,"method":"resources/list","params":{"cursor":"x"}}`, "8", -32602, "SCHEMA_VALIDATION_FAILED"},
		{s, `{"jsonrpc":"2.0","id":9,"method":"resources/read","params":{"uri":"resource://no/where"}}`, "9", -32002, "ORCHESTRATOR_ARTIFACT_NOT_FOUND"},
		{s, `{"jsonrpc":"2.0","id":10,"method":"resources/read","params":{}}`, "10", -32602, "SCHEMA_VALIDATION_FAILED"},
		{s, `{"jsonrpc":"2.0","id":11,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`, "11", -32600, "MCP_INVALID_REQUEST"},
		{s, `{"jsonrpc":"2.0","id":12,"method":"get_run_status"}`, "12", -32601, "MCP_METHOD_NOT_FOUND"},
		{fresh, `{"jsonrpc":`, "null", -32700, "MCP_PARSE_ERROR"},
		{fresh, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "1", -32600, "MCP_INVALID_REQUEST"},
		{fresh, `{"jsonrpc":"2.0","id":2,"method":"initialize","params":{}}`, "2", -32602, "SCHEMA_VALIDATION_FAILED"},
		{fresh, `{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2999-01-01"}}}`, "3", -32022, "MCP_INVALID_REQUEST"},
		{fresh, modern("4", "resources/read", `"uri":"resource://no/where"`), "4", -32602, "ORCHESTRATOR_ARTIFACT_NOT_FOUND"},
	} {
		test.on.send(test.frame)
		r, text := test.on.next()
		r.wants(t, test.code, test.errorCode)
		if string(r.ID) != test.id && !(test.id == "null" && strings.Contains(text, `"id":null`)) {
			t.Errorf("%s is answered with %s", test.frame, text)
		}
		if test.code == -32022 && !strings.Contains(text, `"supported":["2026-07-28"`) {
			t.Errorf("the versions are missing in %s", text)
		}
	}
	if r := s.call("list_runs", "{}"); r.Error != nil {
		t.Errorf("afterwards: %+v", r.Error)
	}
	r := s.call("get_run_statsu", "{}")
	if r.wants(t, -32601, "MCP_TOOL_NOT_FOUND"); fmt.Sprint(r.Error.Data.Details["close_names"]) != "[get_run_status]" { // C-4
		t.Errorf("close names are %v", r.Error.Data.Details)
	}
	s.call("get_run_status", `{"run_id":"no_such_run"}`).wants(t, -32603, "ORCHESTRATOR_RUN_NOT_FOUND")
}

// modern is a request of the newest revision.
func modern(id, method, params string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{` + params +
		`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
}

// S-32, S-38: what is not served is not there, however it is named.
func TestS38NamesOfFiles(t *testing.T) {
	h := newHouse(t, launch.Config{}, nil, true)
	s := h.open(t)
	run := s.start("one")
	<-h.walker.resting(run)
	h.idle()
	for _, name := range []string{"work/x", "cache/llm/x", "evidence/x", "artifacts/page_plan.json", "other"} {
		file := filepath.Join(h.dir, "runs", run, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("hidden"), 0o600); err != nil {
			t.Fatal(err)
		}
		s.call("get_artifact", `{"run_id":"`+run+`","artifact_name":"`+name+`"}`).wants(t, -32603, "ORCHESTRATOR_ARTIFACT_NOT_FOUND")
	}
	for name, code := range map[string]string{
		"../" + run + "/snapshot.json": "POLICY_PATH_TRAVERSAL", "/etc/passwd": "POLICY_PATH_TRAVERSAL", `reports\\x`: "POLICY_PATH_TRAVERSAL",
		"reports/./x": "POLICY_PATH_TRAVERSAL", "%2e%2e/x": "POLICY_PATH_SUSPICIOUS", "~root": "POLICY_PATH_SUSPICIOUS", "$HOME": "POLICY_PATH_SUSPICIOUS",
		`a\u0000b`: "POLICY_PATH_SUSPICIOUS", ".lock": "SCHEMA_VALIDATION_FAILED", "reports//x": "SCHEMA_VALIDATION_FAILED", "ärger": "SCHEMA_VALIDATION_FAILED",
	} {
		s.call("get_artifact", `{"run_id":"`+run+`","artifact_name":"`+name+`"}`).wants(t, -32602, code)
	}
}

// C-3: for clients that hide errors from the model.
func TestC3ErrorsAsResults(t *testing.T) {
	s := newHouse(t, launch.Config{ErrorsAsResults: true}, nil, false).open(t)
	r := s.call("get_run_status", `{"run_id":"no_such_run"}`)
	var result struct {
		IsError bool
		Content []struct{ Text string }
	}
	if err := json.Unmarshal(r.Result, &result); err != nil || !result.IsError || !strings.Contains(result.Content[0].Text, `"error_code":"ORCHESTRATOR_RUN_NOT_FOUND"`) {
		t.Errorf("%s %+v", r.Result, r.Error)
	}
}
