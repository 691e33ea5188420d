package record_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/record"
	"mcpworks/packs/launch/internal/redact"
)

// S-15, S-22, S-37, S-46: every call is one record and two events, however it
// ends.
func TestToolCalls(t *testing.T) {
	for name, test := range map[string]struct {
		call   record.ToolCall
		end    record.CallEnd
		status string
		runID  string
		events []string
	}{
		"fine": {
			record.ToolCall{Tool: "get_run_status", RunID: runID}, record.CallEnd{Result: json.RawMessage(`{"ok":true,"artifacts":[1,2]}`), ResultBytes: 30},
			record.Success, runID + "-mcp_tool_call-req_1", []string{record.ToolStarted, record.ToolFinished},
		},
		"run known at the end": {
			record.ToolCall{Tool: "launch_run"}, record.CallEnd{RunID: runID},
			record.Success, runID + "-mcp_tool_call-req_1", []string{record.ToolStarted, record.ToolFinished},
		},
		"no run": {
			record.ToolCall{Tool: "list_runs"}, record.CallEnd{},
			record.Success, "mcp-c1", []string{record.ToolStarted, record.ToolFinished},
		},
		"unknown run": {
			record.ToolCall{Tool: "get_run_status", RunID: "nobody-knows"}, record.CallEnd{ErrorCode: "RUN_NOT_FOUND"},
			record.Failure, "mcp-c1", []string{record.ToolStarted, record.ToolFailed},
		},
		"timeout": {
			record.ToolCall{Tool: "validate_run", RunID: runID}, record.CallEnd{ErrorCode: "TOOL_TIMEOUT", Retryable: true, Status: record.TimedOut},
			record.TimedOut, runID + "-mcp_tool_call-req_1", []string{record.ToolStarted, record.ToolTimeout, record.ToolFailed},
		},
		"unknown tool": {
			record.ToolCall{Tool: record.UnknownTool, GivenName: "ghp_0123456789abcdefghij0123456789" + strings.Repeat("x", 100)}, record.CallEnd{ErrorCode: "UNKNOWN_TOOL"},
			record.Failure, "mcp-c1", []string{record.ToolStarted, record.ToolFailed},
		},
	} {
		t.Run(name, func(t *testing.T) {
			store := openStore(t, t.TempDir(), nil)
			var events []string
			var sent []record.Record
			at := now()
			calls := &record.Calls{
				Send: func(folder string, r record.Record) error {
					if (folder != "") != (r.ParentRunID != "") {
						t.Errorf("the folder is %q", folder)
					}
					sent = append(sent, r)
					return nil
				},
				Emit: func(kind string, payload map[string]any) {
					events = append(events, kind)
					if payload["tool"] != test.call.Tool || payload["request_id"] != "req_1" || kind == record.ToolFailed && payload["error_code"] != test.end.ErrorCode {
						t.Errorf("%s: %v", kind, payload)
					}
				},
				RunFolder: func(id string) (string, bool) {
					if id != runID {
						return "", false
					}
					return "runs/" + id, true
				},
				Redact: redact.New(redact.Rules{}), Now: func() time.Time { at = at.Add(time.Second); return at },
			}
			test.call.RequestID, test.call.ConnectionID, test.call.Client = "req_1", "c1", record.Client{Name: "tester", Version: "1"}
			test.call.Arguments = json.RawMessage(`{"run_id":"x","api_key":"secret-value","run_config":{"a":1}}`)
			ongoing := calls.Begin(test.call)
			if err := ongoing.End(test.end); err != nil {
				t.Fatal(err)
			}
			_ = ongoing.End(record.CallEnd{ErrorCode: "AGAIN"})
			if diff := cmp.Diff(test.events, events); diff != "" || len(sent) != 1 {
				t.Fatal(diff, len(sent))
			}
			r := sent[0]
			if r.JobType != record.MCPToolCall || r.AgentName != record.MCP || r.Status != test.status || r.RunID != test.runID || *r.DurationMS != 1000 {
				t.Errorf("%+v", r)
			}
			text, err := json.Marshal(r.Context)
			if err != nil || strings.Contains(string(text), "secret-value") || strings.Contains(string(text), "ghp_0") {
				t.Errorf("%s, %v", text, err)
			}
			if !strings.Contains(string(text), `"run_config":{"sha256":"015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"}`) {
				t.Errorf("%s", text)
			}
			if _, created, err := store.Create(t.Context(), r); !created || err != nil {
				t.Errorf("the store does not take it: %v", err)
			}
		})
	}
}

// S-22: arguments are bounded, and of a result only the outline is kept.
func TestOutline(t *testing.T) {
	got := fmt.Sprint(record.Outline(json.RawMessage(`{"runs":[1,2,3],"ok":true,"next_cursor":"secret","status":{"a":1}}`)))
	if got != "map[counts:map[runs:3 status:1] keys:[next_cursor ok runs status]]" {
		t.Error(got)
	}
	plain := redact.New(redact.Rules{})
	long := record.Arguments(plain, json.RawMessage(`{"a":"`+strings.Repeat("words ", 5000)+`"}`))
	text, err := json.Marshal(long)
	if err != nil || len(text) > 200 || !strings.Contains(string(text), `"truncated":true`) {
		t.Errorf("%s, %v", text, err)
	}
	for _, broken := range []string{"", "{", `{"a":1,"a":2}`} {
		if got := fmt.Sprint(record.Arguments(plain, json.RawMessage(broken))); got != "map[]" {
			t.Errorf("%q: %s", broken, got)
		}
	}
}
