package launch_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/fixtures"
)

// S-48, 14.8: every line that the program writes to standard error is JSON with a
// time, a level and a message; a line about a call says which call it was and how it
// ended, and each call has one.
func TestS48Lines(t *testing.T) {
	w := newWorkplace(t, fixtures.Sparse())
	p := w.serve(t)
	run := p.startRun(w.config(nil))
	p.call("cancel_run", `{"run_id":"`+run+`"}`).structured(t, nil)
	p.call("get_run_status", `{"run_id":"no_such_run"}`).wants(t, -32603, "ORCHESTRATOR_RUN_NOT_FOUND")
	p.call("no_such_tool", `{}`).wants(t, -32601, "MCP_TOOL_NOT_FOUND")
	p.send(`{"jsonrpc":`)
	p.next()
	p.ask("resources/read", `{"uri":"resource://run/`+run+`/none.json"}`)
	if code := p.leave(); code != 0 {
		t.Errorf("the program ends with %d", code)
	}
	calls := map[string]map[string]any{} // by tool
	for line := range strings.Lines(p.log.String()) {
		var members map[string]any
		if err := json.Unmarshal([]byte(line), &members); err != nil {
			t.Errorf("%v in %q", err, line)
			continue
		}
		text, _ := members["ts"].(string)
		if when, err := time.Parse(time.RFC3339Nano, text); err != nil || when.IsZero() || members["level"] == nil || members["msg"] == "" {
			t.Errorf("the line has no ts, level or msg: %s", line)
		}
		if tool, ok := members["tool"].(string); ok {
			if calls[tool] != nil {
				t.Errorf("%s has a second line: %s", tool, line)
			}
			calls[tool] = members
		}
	}
	for tool, errorCode := range map[string]string{
		"launch_start_run": "", "cancel_run": "", "get_run_status": "ORCHESTRATOR_RUN_NOT_FOUND", "_unknown": "MCP_TOOL_NOT_FOUND",
	} {
		for _, member := range []string{"request_id", "connection_id", "client", "tool", "run_id", "duration_ms", "outcome"} {
			if _, ok := calls[tool][member]; !ok {
				t.Errorf("the line of %s has no %s: %v", tool, member, calls[tool])
			}
		}
		if got, _ := calls[tool]["error_code"].(string); got != errorCode {
			t.Errorf("the line of %s has the error_code %q", tool, got)
		}
	}
}

// S-48, 14.8: the line about a call has the id that the client gave it, the trace,
// and the run, also of the call that has started it.
func TestS48Members(t *testing.T) {
	w := newWorkplace(t, fixtures.Sparse())
	p := w.serve(t)
	run := p.startRun(w.config(nil))
	p.leave()
	for line := range strings.Lines(p.log.String()) {
		var members map[string]any
		if err := json.Unmarshal([]byte(line), &members); err != nil {
			t.Fatal(err)
		}
		if members["tool"] != "launch_start_run" {
			continue
		}
		if members["rpc_id"] == nil || members["trace_id"] == nil || members["run_id"] != run {
			t.Errorf("%s", line)
		}
		return
	}
	t.Error("the call has no line")
}
