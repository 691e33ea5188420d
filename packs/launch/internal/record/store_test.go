package record_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mcpworks/internal/secret"
	"mcpworks/packs/launch/internal/commitsvc/inprocess"
	"mcpworks/packs/launch/internal/record"
)

const runID = "r_20260101T000000Z_acme_0123abcd"

func now() time.Time { return time.Date(2026, 1, 1, 0, 0, 9, 0, time.UTC) }

func openStore(t *testing.T, folder string, events func(context.Context, string, func(record.Event) bool) error) *record.Store {
	t.Helper()
	store, err := record.OpenStore(t.Context(), folder, record.StoreOptions{Now: now, Events: events})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

// parent is the record of a run, child that of one of its parts.
func parent() record.Record {
	return record.Record{
		EventID: record.EventID(runID), RunID: runID, AgentName: record.Orchestrator, JobType: record.Launch,
		Product: "acme", StartTime: "2026-01-01T00:00:01.000Z",
	}
}

func child(kind, id string, second int) record.Record {
	name := record.ChildID(runID, kind, id)
	return record.Record{
		EventID: record.EventID(name), RunID: name, ParentRunID: runID, AgentName: record.Orchestrator, JobType: kind, Status: record.Success,
		StartTime: fmt.Sprintf("2026-01-01T00:00:%02d.000Z", second), EndTime: fmt.Sprintf("2026-01-01T00:00:%02d.500Z", second),
	}
}

// An api is a store behind a real port.
type api struct {
	*testing.T
	store *record.Store
	url   string
	token string
}

func serve(t *testing.T, options record.HandlerOptions) api {
	t.Helper()
	store := openStore(t, t.TempDir(), nil)
	server := httptest.NewServer(store.Handler(options))
	t.Cleanup(server.Close)
	return api{t, store, server.URL, ""}
}

// ask makes a request and returns the status and the decoded answer.
func (a api) ask(method, path string, body any) (int, map[string]any) {
	a.Helper()
	text, isText := body.(string)
	if !isText && body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			a.Fatal(err)
		}
		text = string(encoded)
	}
	r, err := http.NewRequestWithContext(a.Context(), method, a.url+path, strings.NewReader(text))
	if err != nil {
		a.Fatal(err)
	}
	if a.token != "" {
		r.Header.Set("Authorization", "Bearer "+a.token)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		a.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		a.Fatal(err)
	}
	var decoded map[string]any
	if json.Unmarshal(answer, &decoded) != nil {
		decoded = map[string]any{"text": string(answer)}
	}
	return response.StatusCode, decoded
}

// 12.2: the statuses of the API.
func TestAPI(t *testing.T) {
	a := serve(t, record.HandlerOptions{})
	id := record.EventID(runID)
	failed := child(record.Gate, "links", 3)
	failed.Status = "failed"
	changed := parent()
	changed.Product = "other"
	for _, step := range []struct {
		method, path string
		body         any
		status       int
		want         string // name=value in the answer
	}{
		{"POST", "/api/v1/runs", parent(), 201, "status=running"},
		{"POST", "/api/v1/runs", changed, 200, "product=acme"},
		{"POST", "/api/v1/runs", failed, 201, "status=failure"},
		{"POST", "/api/v1/runs", record.Record{}, 422, ""},
		{"POST", "/api/v1/runs", `{"event_id":"x","colour":1}`, 422, ""},
		{"POST", "/api/v1/runs", `{`, 400, "error=the body is not JSON"},
		{"POST", "/api/v1/runs", `"` + strings.Repeat("x", 2<<20) + `"`, 413, ""},
		{"PATCH", "/api/v1/runs/" + id, `{"status":"success","duration_ms":12,"end_time":"2026-01-01T01:00:05+01:00"}`, 200, "end_time=2026-01-01T00:00:05.000Z"},
		{"PATCH", "/api/v1/runs/" + id, `{"status":"completed"}`, 422, ""},
		{"PATCH", "/api/v1/runs/" + id, `{"run_id":"x"}`, 422, ""},
		{"PATCH", "/api/v1/runs/" + record.EventID("nobody"), `{"status":"success"}`, 404, ""},
		{"GET", "/api/v1/runs/" + runID, nil, 200, "status=success"},
		{"GET", "/api/v1/runs/nobody", nil, 404, ""},
		{"GET", "/api/v1/runs?limit=1&offset=1", nil, 200, "total=2"},
		{"GET", "/api/v1/runs?limit=1001", nil, 422, ""},
		{"GET", "/api/v1/runs?job_type=gate&status=failure&parent_run_id=" + runID, nil, 200, "total=1"},
		{"GET", "/api/v1/runs?product=acme", nil, 200, "total=1"},
		{"GET", "/api/v1/runs/" + runID + "/events", nil, 200, "run_id=" + runID},
		{"POST", "/api/v1/runs/" + id + "/associate-commit", record.Commit{Hash: "0123abc", Source: "llm"}, 200, "commit_hash=0123abc"},
		{"POST", "/api/v1/runs/" + id + "/associate-commit", record.Commit{Hash: "0123abc", Source: "somebody"}, 422, ""},
		{"POST", "/api/v1/runs/" + id + "/associate-commit", record.Commit{Hash: "short", Source: "llm"}, 422, ""},
		{"POST", "/api/v1/runs/batch", []any{parent(), child(record.Worker, "W1", 2), map[string]any{"event_id": 1}}, 200, "created=1"},
		{"POST", "/api/v1/runs/batch", []any{parent(), child(record.Worker, "W1", 2), map[string]any{"event_id": 1}}, 200, "existing=2"},
		{"POST", "/api/v1/runs/batch", make([]any, 1001), 422, ""},
		{"GET", "/telemetry/" + runID, nil, 200, "run_id=" + runID},
		{"GET", "/telemetry/nobody", nil, 404, "run_id=nobody"},
		{"GET", "/health", nil, 200, "status=ok"},
		{"GET", "/api/v1/metadata", nil, 200, "name=launcher telemetry"},
		{"DELETE", "/api/v1/runs/" + id, nil, 405, ""},
	} {
		status, answer := a.ask(step.method, step.path, step.body)
		name, want, _ := strings.Cut(step.want, "=")
		if status != step.status || step.want != "" && fmt.Sprint(answer[name]) != want {
			t.Errorf("%s %.80s: %d, %v", step.method, step.path, status, answer)
		}
	}
	if _, answer := a.ask("GET", "/metrics", nil); !strings.Contains(answer["text"].(string), `launcher_telemetry_records{status="success"} 2`) {
		t.Errorf("metrics: %v", answer)
	}
}

// 12.2: the token, if there is one.
func TestToken(t *testing.T) {
	a := serve(t, record.HandlerOptions{Token: secret.New("good-token")})
	for token, want := range map[string]int{"": 401, "bad-token": 401, "good-token": 404} {
		a.token = token
		if status, _ := a.ask("GET", "/api/v1/runs/x", nil); status != want {
			t.Errorf("%q: %d", token, status)
		}
	}
	a.token = ""
	if status, _ := a.ask("GET", "/health", nil); status != 200 {
		t.Errorf("health: %d", status)
	}
}

// S-36: what is a secret is not kept.
func TestStoreRedacts(t *testing.T) {
	store := openStore(t, t.TempDir(), nil)
	r := parent()
	r.ErrorDetails = "git said: https://user:hunter2@github.com/x"
	r.Context = map[string]any{"api_key": "abc", "note": "ghp_0123456789abcdefghij0123456789"}
	kept, _, err := store.Create(t.Context(), r)
	text, _ := json.Marshal(kept)
	if err != nil || bytes.Contains(text, []byte("hunter2")) || bytes.Contains(text, []byte("abc\"")) || bytes.Contains(text, []byte("ghp_0123")) {
		t.Errorf("%s, %v", text, err)
	}
}

// 3.5, 18.16: the summary, and lists in pages that miss nothing.
func TestTelemetry(t *testing.T) {
	events := func(_ context.Context, id string, each func(record.Event) bool) error {
		for seq := int64(1); id == runID && seq <= 5; seq++ {
			if !each(record.Event{Seq: seq, Type: []string{"A", "B"}[seq%2], Line: json.RawMessage(fmt.Sprintf(`{"seq":%d}`, seq))}) {
				break
			}
		}
		return nil
	}
	store := openStore(t, t.TempDir(), events)
	records := []record.Record{parent(), child(record.Worker, "W1", 2), child(record.Worker, "W2", 3), child(record.LLMCall, "1", 4), child(record.LLMCall, "2", 4)}
	records[3].Metrics = map[string]any{"input_tokens": 10, "output_tokens": 3, "api_cost_usd": 0.25}
	records[4].Metrics = map[string]any{"input_tokens": 5, "output_tokens": 1}
	for i := range 3 {
		call := child(record.MCPToolCall, fmt.Sprint("req_", i), 5+i)
		ms := int64(7)
		call.DurationMS = &ms
		call.Context = map[string]any{"tool": "get_run_status", "request_id": fmt.Sprint("req_", i), "client": map[string]any{"name": "c"}}
		records = append(records, call)
	}
	other := child(record.Worker, "other", 2)
	other.EventID, other.ParentRunID, other.RunID = record.EventID("other"), "r_other_run", "r_other_run-worker-1"
	for _, r := range append(records, other) {
		if _, _, err := store.Create(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	q := record.Query{RunID: runID, Include: []string{record.IncludeRuns, record.IncludeEvents, record.IncludeToolCalls}, PageSize: 2, Pending: 3}
	reader := record.Reader{URL: "http://telemetry.invalid", Transport: inprocess.Transport(store.Handler(record.HandlerOptions{}))}
	var runs, calls, lines []string
	for pages := 0; ; pages++ {
		got, err := store.Telemetry(t.Context(), q)
		if err != nil || pages > 3 {
			t.Fatalf("page %d: %v", pages, err)
		}
		want := record.Summary{
			TotalRecords: 8, ByJobType: map[string]int{"launch": 1, "worker": 2, "llm_call": 2, "mcp_tool_call": 3},
			ByStatus: map[string]int{"running": 1, "success": 7}, LLM: record.LLMUse{Calls: 2, InputTokens: 15, OutputTokens: 4, CostUSD: 0.25},
			EventTypes: map[string]int{"A": 2, "B": 3}, FirstTS: "2026-01-01T00:00:01.000Z", LastTS: "2026-01-01T00:00:07.500Z", OutboxPending: 3,
		}
		if diff := cmp.Diff(want, got.Summary); diff != "" {
			t.Error(diff)
		}
		over, err := reader.Telemetry(t.Context(), q)
		if diff := cmp.Diff(got, over); diff != "" || err != nil {
			t.Error("another answer over HTTP", diff, err)
		}
		for _, r := range got.Runs {
			runs = append(runs, r.JobType)
		}
		for _, c := range got.ToolCalls {
			calls = append(calls, fmt.Sprint(c.Tool, " ", c.RequestID, " ", c.DurationMS, " ", c.Outcome, " ", c.Client["name"]))
		}
		for _, e := range got.Events {
			lines = append(lines, string(e))
		}
		if q.Cursor = got.NextCursor; q.Cursor == "" {
			break
		}
	}
	if diff := cmp.Diff([]string{"launch", "worker", "worker", "llm_call", "llm_call"}, runs); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"get_run_status req_0 7 success c", "get_run_status req_1 7 success c", "get_run_status req_2 7 success c"}, calls); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{`{"seq":1}`, `{"seq":2}`, `{"seq":3}`, `{"seq":4}`, `{"seq":5}`}, lines); diff != "" {
		t.Error(diff)
	}
	first, err := store.Telemetry(t.Context(), record.Query{RunID: runID, PageSize: 2})
	if err != nil || len(first.Runs) != 2 || first.ToolCalls != nil || !first.Summary.APIPosted {
		t.Errorf("%+v, %v", first, err)
	}
	for _, cursor := range []string{"!", "e30", q.Cursor + first.NextCursor} {
		if _, err := store.Telemetry(t.Context(), record.Query{RunID: "r_other_run", PageSize: 2, Cursor: cursor}); err == nil {
			t.Errorf("the cursor %q is taken", cursor)
		}
	}
	if _, err := reader.Telemetry(t.Context(), record.Query{RunID: "nobody"}); !errors.Is(err, record.ErrNotFound) {
		t.Error(err)
	}
	if _, err := reader.Telemetry(t.Context(), record.Query{RunID: runID, Cursor: "!"}); !errors.Is(err, record.ErrCursor) {
		t.Error(err)
	}
	if ids, err := store.Family(t.Context(), runID); err != nil || len(ids) != 8 || ids[0] != record.EventID(runID) {
		t.Errorf("%v, %v", ids, err)
	}
}
