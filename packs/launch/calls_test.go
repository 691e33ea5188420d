package launch_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"mcpworks/packs/launch"
	"mcpworks/packs/launch/internal/record"
	"mcpworks/packs/launch/internal/run/state"

	"github.com/google/go-cmp/cmp"
)

// A ledger is how calls have ended, by the request id that their answer names.
type ledger map[string]ending

// An ending is a tool with the error code of its answer; none means success.
type ending struct{ Tool, ErrorCode string }

// note takes down an answer.
func (l ledger) note(t *testing.T, tool string, r reply) {
	t.Helper()
	id, code := "", ""
	if r.Error != nil {
		id, code = r.Error.Data.RequestID, r.Error.Data.ErrorCode
	} else {
		var result struct {
			Meta struct {
				RequestID string `json:"request_id"`
			} `json:"_meta"`
		}
		if err := json.Unmarshal(r.Result, &result); err != nil {
			t.Fatal(err)
		}
		id = result.Meta.RequestID
	}
	if _, twice := l[id]; id == "" || twice {
		t.Errorf("%s is answered as request %q", tool, id)
	}
	l[id] = ending{tool, code}
}

// counted is how calls have ended as the server's events and its records tell
// it. Each must have begun and ended once, and have one record.
func counted(t *testing.T, h *house, run string) (events, records ledger) {
	t.Helper()
	if _, err := h.Call(t.Context(), "get_telemetry", json.RawMessage(run)); err != nil { // it waits for the records
		t.Fatal(err)
	}
	events, records = ledger{}, ledger{}
	begun := map[string]int{}
	text, err := os.ReadFile(filepath.Join(h.dir, "server_events.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var event struct {
			Type    string
			Payload struct {
				Tool      string
				RequestID string `json:"request_id"`
				ErrorCode string `json:"error_code"`
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			t.Fatal(err)
		}
		id := event.Payload.RequestID
		switch event.Type {
		case record.ToolStarted:
			begun[id]++
		case record.ToolFinished, record.ToolFailed:
			if _, twice := events[id]; twice || begun[id] != 1 || (event.Type == record.ToolFailed) != (event.Payload.ErrorCode != "") {
				t.Errorf("a call has begun %d times, and ends with %s", begun[id], lines.Text())
			}
			events[id] = ending{event.Payload.Tool, event.Payload.ErrorCode}
		}
	}
	if len(begun) != len(events) {
		t.Errorf("%d calls have begun, %d have ended", len(begun), len(events))
	}
	store, err := record.OpenStore(t.Context(), filepath.Join(h.dir, "telemetry"), record.StoreOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	list, total, err := store.List(t.Context(), record.Filter{JobType: record.MCPToolCall}, 1000, 0)
	if err != nil || len(list) != total {
		t.Fatalf("%d of %d records, %v", len(list), total, err)
	}
	for _, r := range list {
		id, _ := r.Context["request_id"].(string)
		code, _ := r.Context["error_code"].(string)
		tool, _ := r.Context["tool"].(string)
		if _, twice := records[id]; twice || r.EndTime == "" || (r.Status == record.Success) != (code == "") {
			t.Errorf("request %q has a second record, or a bad one: %+v", id, r)
		}
		records[id] = ending{tool, code}
	}
	return events, records
}

// A mood is what the walker does when it is asked to validate.
type mood struct {
	word    atomic.Value // block, panic, or nothing
	begun   chan struct{}
	release chan struct{} // ends all that blocks
}

func newMood() *mood { return &mood{begun: make(chan struct{}, 1), release: make(chan struct{})} }

func (m *mood) at(ctx context.Context, _ state.State) error {
	switch m.word.Load() {
	case "block":
		m.begun <- struct{}{}
		select {
		case <-ctx.Done():
		case <-m.release:
		}
		return context.Cause(ctx)
	case "panic":
		panic("in the middle of a call")
	}
	return nil
}

// S-15, S-37: however a call ends, it has one record, one event when it begins
// and one when it ends; these two and the answer say the same.
func TestS15EveryEnd(t *testing.T) {
	const limit = 12
	m := newMood()
	w := &walker{at: m.at}
	h := newHouse(t, launch.Config{CallsPerMinute: limit, Timeouts: map[string]time.Duration{"get_run_telemetry": time.Nanosecond}}, w, true)
	s, told := h.open(t), ledger{}
	call := func(s *session, tool, label, arguments, errorCode string) {
		t.Helper()
		r := s.call(tool, arguments)
		told.note(t, label, r)
		if got := codeOf(r); got != errorCode {
			t.Errorf("%s ends with %q", tool, got)
		}
	}
	begin := s.call("launch_start_run", `{"run_config":`+runConfig(nil)+`}`)
	told.note(t, "launch_start_run", begin)
	var started struct {
		RunID string `json:"run_id"`
	}
	begin.structured(t, &started)
	<-w.resting(started.RunID)
	h.idle()
	run := `{"run_id":"` + started.RunID + `"}`
	call(s, "list_runs", "list_runs", "{}", "")
	call(s, "get_run_status", "get_run_status", `{"run_id":"../x"}`, "SCHEMA_VALIDATION_FAILED")
	call(s, "get_run_status", "get_run_status", `[]`, "SCHEMA_VALIDATION_FAILED")
	call(s, "no_such_tool", "_unknown", run, "MCP_TOOL_NOT_FOUND")
	call(s, "get_run_status", "get_run_status", `{"run_id":"no_such_run"}`, "ORCHESTRATOR_RUN_NOT_FOUND")
	call(s, "validate_run", "validate_run", run, "")
	m.word.Store("panic")
	call(s, "validate_run", "validate_run", run, "VALIDATOR_GATE_EXECUTION_FAILED")
	m.word.Store("block")
	call(s, "get_run_telemetry", "get_run_telemetry", run, "TOOL_TIMEOUT")
	nameless := s.ask("tools/call", "{}")
	told.note(t, "_unknown", nameless)
	s.send(`{"jsonrpc":"2.0","id":"unwanted","method":"tools/call","params":{"name":"validate_run","arguments":` + run + `}}`)
	<-m.begun
	s.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"unwanted"}}`)
	s.hangUp()
	lost := h.open(t)
	lost.send(`{"jsonrpc":"2.0","id":"lost","method":"tools/call","params":{"name":"validate_run","arguments":` + run + `}}`)
	<-m.begun
	lost.hangUp()
	eager := h.open(t)
	for range limit {
		call(eager, "list_taskcards", "list_taskcards", "{}", "")
	}
	call(eager, "list_taskcards", "list_taskcards", "{}", "MCP_RATE_LIMITED")
	eager.hangUp()
	events, records := counted(t, h, run)
	if diff := cmp.Diff(events, records); diff != "" {
		t.Errorf("events and records differ:\n%s", diff)
	}
	unanswered := map[ending]int{}
	for id, end := range events {
		if _, answered := told[id]; !answered {
			unanswered[end]++
			told[id] = end
		}
	}
	if diff := cmp.Diff(told, events); diff != "" {
		t.Errorf("answers and events differ:\n%s", diff)
	}
	if diff := cmp.Diff(map[ending]int{{"validate_run", "ORCHESTRATOR_CANCELLED"}: 2}, unanswered); diff != "" {
		t.Errorf("without an answer (-want +got):\n%s", diff)
	}
}

func codeOf(r reply) string {
	if r.Error == nil {
		return ""
	}
	return r.Error.Data.ErrorCode
}

// S-15, S-37: a call that is refused because the server ends has its record and
// its events, too.
func TestS37ShuttingDown(t *testing.T) {
	m := newMood()
	w := &walker{at: m.at}
	h := newHouse(t, launch.Config{CallsPerMinute: 1_000_000}, w, true)
	s, told := h.open(t), ledger{}
	run := s.start("one")
	<-w.resting(run)
	h.idle()
	m.word.Store("block")
	s.send(`{"jsonrpc":"2.0","id":"slow","method":"tools/call","params":{"name":"validate_run","arguments":{"run_id":"` + run + `"}}}`)
	<-m.begun
	s.stop()
	for refused := false; !refused; {
		r := s.call("list_runs", "{}")
		told.note(t, "list_runs", r)
		refused = codeOf(r) == "ORCHESTRATOR_SHUTTING_DOWN"
	}
	close(m.release)
	s.hangUp()
	events, records := counted(t, h, `{"run_id":"`+run+`"}`)
	for id, end := range told {
		if events[id] != end || records[id] != end {
			t.Errorf("%s is answered with %+v, its events say %+v, its record %+v", id, end, events[id], records[id])
		}
	}
}
