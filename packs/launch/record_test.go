package launch_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/packs/launch"
)

// S-15, S-22, S-36, S-37, S-46: every call leaves one record and two events, and
// none of them a secret.
func TestS15EveryCallIsRecorded(t *testing.T) {
	secret := "s3cr3t-" + strings.Repeat("x", 12)
	h := newHouse(t, launch.Config{Environ: []string{"ACME_TOKEN=" + secret}}, nil, false)
	s := h.open(t)
	run := s.start("one")
	s.call("cancel_run", `{"run_id":"`+run+`","reason":"the token is `+secret+`"}`)
	s.call("get_run_status", `{"run_id":"`+run+`","more":1}`)
	s.call("no_such_tool", `{}`)
	var told struct {
		Calls []struct {
			Tool, Outcome string
			ErrorCode     string `json:"error_code"`
			Client        struct{ Name string }
		} `json:"tool_calls"`
	}
	text := s.call("get_telemetry", `{"run_id":"`+run+`","include":["tool_calls"]}`).structured(t, &told)
	if len(told.Calls) != 3 || told.Calls[0].Client.Name != "test" {
		t.Fatalf("the calls about the run are %s", text)
	}
	outcomes := map[string]string{}
	for _, call := range told.Calls {
		outcomes[call.Tool] = call.Outcome + call.ErrorCode
	}
	if outcomes["launch_start_run"] != "success" || outcomes["cancel_run"] != "success" || outcomes["get_run_status"] != "failureSCHEMA_VALIDATION_FAILED" {
		t.Errorf("%v", outcomes)
	}
	counts, previous := map[string]int{}, strings.Repeat("0", 64)
	file, err := os.Open(filepath.Join(h.dir, "server_events.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var event struct {
			Type, Hash string
			EventHash  string `json:"event_hash"`
			Prev       string `json:"prev_hash"`
			Payload    struct {
				Tool      string
				ErrorCode string `json:"error_code"`
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil || event.Prev != previous {
			t.Fatalf("the chain is broken at %s: %v", lines.Text(), err)
		}
		previous = event.EventHash
		counts[event.Type]++
		counts[event.Payload.Tool+" "+event.Payload.ErrorCode]++
	}
	if counts["MCP_TOOL_STARTED"] != 5 || counts["MCP_TOOL_FINISHED"] != 3 || counts["MCP_TOOL_FAILED"] != 2 || counts["_unknown MCP_TOOL_NOT_FOUND"] != 1 {
		t.Errorf("events: %v", counts)
	}
	for _, folder := range []string{"runs", "telemetry", "."} { // S-36
		entries, err := filepath.Glob(filepath.Join(h.dir, folder, "*"))
		if err != nil {
			t.Fatal(err)
		}
		nested, _ := filepath.Glob(filepath.Join(h.dir, "runs", "*", "*"))
		for _, name := range append(entries, nested...) {
			if content, err := os.ReadFile(name); err == nil && strings.Contains(string(content), secret) {
				t.Errorf("%s has the secret", name)
			}
		}
	}
}
