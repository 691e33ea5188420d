package launch_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"mcpworks/packs/launch"
	"mcpworks/packs/launch/internal/fixtures"
)

var sampleForm = regexp.MustCompile(`^[a-z_]+(\{[^{}]*\})? [0-9.e+Inf-]+$`)

// S-47, 14.7: what the metrics say after a known sequence of calls.
func TestS47Metrics(t *testing.T) {
	h := newHouse(t, launch.Config{CallsPerMinute: 6, Now: func() time.Time { return noon }}, nil, false)
	s := h.open(t)
	s.start("one")
	for _, tool := range []string{"list_runs", "list_runs", "list_taskcards", "no_such_tool"} {
		s.call(tool, "{}")
	}
	s.call("get_run_status", `{"run_id":"no_such_run"}`)
	s.call("list_runs", "{}").wants(t, -32603, "MCP_RATE_LIMITED")
	var result struct {
		Contents []struct{ MIMEType, Text string }
	}
	if err := json.Unmarshal(s.ask("resources/read", `{"uri":"resource://server/metrics"}`).Result, &result); err != nil {
		t.Fatal(err)
	}
	if len(result.Contents) != 1 || !strings.HasPrefix(result.Contents[0].MIMEType, "text/plain") {
		t.Fatalf("%+v", result)
	}
	samples := map[string]string{}
	for line := range strings.Lines(result.Contents[0].Text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if !sampleForm.MatchString(line) {
			t.Errorf("%q is no sample", line)
		}
		name, value, _ := strings.Cut(line, " ")
		samples[name] = value
	}
	for name, want := range map[string]string{
		`launcher_mcp_tool_calls_total{tool="list_runs",outcome="success"}`:                             "2",
		`launcher_mcp_tool_calls_total{tool="list_runs",outcome="failure"}`:                             "1",
		`launcher_mcp_tool_calls_total{tool="list_taskcards",outcome="success"}`:                        "1",
		`launcher_mcp_tool_calls_total{tool="launch_start_run",outcome="success"}`:                      "1",
		`launcher_mcp_tool_calls_total{tool="_unknown",outcome="failure"}`:                              "1",
		`launcher_mcp_tool_errors_total{tool="_unknown",error_code="MCP_TOOL_NOT_FOUND"}`:               "1",
		`launcher_mcp_tool_errors_total{tool="get_run_status",error_code="ORCHESTRATOR_RUN_NOT_FOUND"}`: "1",
		`launcher_mcp_tool_errors_total{tool="list_runs",error_code="MCP_RATE_LIMITED"}`:                "1",
		`launcher_mcp_tool_duration_seconds_count{tool="list_runs"}`:                                    "3",
		`launcher_mcp_tool_duration_seconds_bucket{tool="list_runs",le="0.005"}`:                        "3", // the clock stands still
		`launcher_mcp_tool_duration_seconds_bucket{tool="list_runs",le="600"}`:                          "3",
		`launcher_mcp_tool_duration_seconds_bucket{tool="list_runs",le="+Inf"}`:                         "3",
		`launcher_rate_limited_total`:                                                                   "1",
		`launcher_runs{state="CREATED"}`:                                                                "1",
		`launcher_queue_depth`:                                                                          "1",
	} {
		if samples[name] != want {
			t.Errorf("%s is %q, want %s", name, samples[name], want)
		}
	}
	if strings.Contains(result.Contents[0].Text, "no_such_tool") {
		t.Error("14.7: a name that a client made up is a label")
	}
	if t.Failed() {
		t.Log(result.Contents[0].Text)
	}
}

// 14.7: a run that goes through all stages has told how long they took.
func TestMetricsOfRuns(t *testing.T) {
	w := newWorkplace(t, fixtures.Sparse())
	p := w.serve(t)
	p.rest(p.startRun(w.config(nil)))
	answer := string(p.ask("resources/read", `{"uri":"resource://server/metrics"}`).Result)
	for _, stage := range []string{"W1", "W2", "W3", "W4", "W5", "W5.5", "W6", "W7"} {
		if !strings.Contains(answer, `launcher_stage_duration_seconds_count{stage=\"`+stage+`\"}`) {
			t.Errorf("nothing is said about %s", stage)
		}
	}
	if !strings.Contains(answer, `launcher_telemetry_outbox_bytes 0`) || strings.Contains(answer, "launcher_gate_failures_total{") {
		t.Errorf("%s", answer)
	}
	p.leave()
}
