package operate_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/operate"
	"mcpworks/packs/launch/internal/record"
	"mcpworks/packs/launch/internal/run/snapshot"
)

// A service is a telemetry service of somebody else, which can be down. It has
// what it was asked for, in order.
type service struct {
	*httptest.Server
	store *record.Store

	mu    sync.Mutex
	down  bool
	asked []string // the event_id of a new record, else method and path
}

func newService(t *testing.T) *service {
	t.Helper()
	store, err := record.OpenStore(t.Context(), t.TempDir(), record.StoreOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := &service{store: store}
	api := store.Handler(record.HandlerOptions{})
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.down {
			http.Error(w, "down", http.StatusServiceUnavailable)
			return
		}
		body, _ := io.ReadAll(r.Body)
		var given struct {
			EventID string `json:"event_id"`
		}
		_ = json.Unmarshal(body, &given)
		s.asked = append(s.asked, strings.TrimPrefix(r.Method+" "+r.URL.Path+" "+given.EventID, "POST /api/v1/runs "))
		r.Body = io.NopCloser(bytes.NewReader(body))
		api.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { s.Close(); store.Close() })
	return s
}

func (s *service) setDown(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

func (s *service) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// A yard is a data directory on which processes work one after the other.
type yard struct {
	t         *testing.T
	dir, repo string
	allowed   []string
}

func newYard(t *testing.T, allowed ...string) *yard {
	_, repo, dir := open(t, fixtures.Sparse())
	t.Cleanup(func() { _ = gitrepo.Remove(filepath.Join(dir, "yard")) }) // some of it is read-only
	return &yard{t, dir, repo, allowed}
}

// open opens a launcher that leaves the execution of runs to others.
func (y *yard) open(change ...func(*operate.Options)) *operate.Launcher {
	y.t.Helper()
	options := operate.Options{
		DataDir: filepath.Join(y.dir, "yard"), ProfilesDir: filepath.Join(y.dir, "profiles"), NetworkAllowlist: y.allowed, Poll: 5 * time.Millisecond,
		Executor: operate.Pipeline, Wait: func(context.Context, time.Duration) error { return nil },
	}
	for _, c := range change {
		c(&options)
	}
	l, err := operate.Open(y.t.Context(), options)
	if err != nil {
		y.t.Fatal(err)
	}
	return l
}

func (y *yard) close(l *operate.Launcher) {
	y.t.Helper()
	if err := l.Close(); err != nil {
		y.t.Error(err)
	}
}

// work opens a launcher that executes runs; end ends it as a process would.
func (y *yard) work(change ...func(*operate.Options)) (l *operate.Launcher, end func()) {
	l = y.open(change...)
	ctx, stop := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() {
		if err := l.Work(ctx); err != nil {
			y.t.Error(err)
		}
	})
	return l, sync.OnceFunc(func() {
		stop()
		working.Wait()
		y.close(l)
	})
}

// run begins a run, and waits until it rests.
func (y *yard) run(l *operate.Launcher, more map[string]any) string {
	y.t.Helper()
	id := y.begin(l, more)
	y.rest(l, id)
	return id
}

// config is a run_config that can be used, with more or other members.
func (y *yard) config(more map[string]any) json.RawMessage {
	y.t.Helper()
	told := map[string]any{
		"schema_version": "2.0", "product_slug": "sparse", "product_name": "Sparse", "family": "sparse", "locale": "en", "github_repo_url": y.repo, "github_ref": "main",
		"required_sections": []string{"docs", "kb"}, "allowed_paths": []string{"content/docs/sparse/", "content/kb/sparse/"}, "validation_profile": "ci",
	}
	maps.Copy(told, more)
	text, err := json.Marshal(told)
	if err != nil {
		y.t.Fatal(err)
	}
	return text
}

// begin begins a run.
func (y *yard) begin(l *operate.Launcher, more map[string]any) string {
	y.t.Helper()
	started, err := l.Start(y.t.Context(), operate.Caller{}, y.config(more), "")
	if err != nil {
		y.t.Fatal(err)
	}
	return started.RunID
}

// rest waits until a run rests.
func (y *yard) rest(l *operate.Launcher, id string) operate.StatusAnswer {
	y.t.Helper()
	for {
		status, err := l.Status(y.t.Context(), id)
		if err != nil {
			y.t.Fatal(err)
		}
		if status.Activity == snapshot.Paused || status.Activity == snapshot.Finished {
			return status
		}
		select {
		case <-y.t.Context().Done():
			y.t.Fatal("the run does not rest")
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// family are the records of a run as a service has them.
func family(t *testing.T, store *record.Store, id string) map[string]record.Record {
	t.Helper()
	answer, err := store.Telemetry(t.Context(), record.Query{RunID: id, PageSize: 500})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]record.Record{}
	for _, r := range answer.Runs {
		if _, twice := found[r.RunID]; twice {
			t.Errorf("%s is there twice", r.RunID)
		}
		found[r.RunID] = r
	}
	return found
}

// 12.1, 18.16, 11.3: a run has a record with children for its steps, stages,
// gates and commits, which name their parent and the commit that came of it; the
// service that it names gets the same.
func TestRecordsOfRun(t *testing.T) {
	outside := newService(t)
	y := newYard(t, strings.TrimPrefix(outside.URL, "http://"))
	l, end := y.work()
	id := y.run(l, map[string]any{"stop_at": "DONE", "telemetry": map[string]any{"endpoint_url": outside.URL}})
	status, err := l.Status(t.Context(), id)
	if err != nil || status.State != "DONE" {
		t.Fatalf("the run is %s, failure %+v: %v", status.State, status.Failure, err)
	}
	end() // with it the last words are said
	l = y.open()
	defer y.close(l)
	answer, err := l.Telemetry(t.Context(), operate.TelemetryQuestion{RunID: id, PageSize: 500})
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	inside := map[string]record.Record{}
	for _, r := range answer.Runs {
		count[r.JobType]++
		inside[r.RunID] = r
		child := r.RunID != id
		if child && r.ParentRunID != id || child && !strings.HasPrefix(r.RunID, id+"-"+r.JobType+"-") || r.AgentName != record.Orchestrator {
			t.Errorf("%s: parent %q, by %q", r.RunID, r.ParentRunID, r.AgentName)
		}
		if r.Status != record.Success && r.ItemName != "pinned_refs" || r.EndTime == "" || r.CommitHash != status.PR.CommitSHA || r.Context["trace_id"] == "" {
			t.Errorf("%s: %s, ended %q, commit %q", r.RunID, r.Status, r.EndTime, r.CommitHash)
		}
	}
	if count[record.Launch] != 1 || count[record.Gate] < 20 || count[record.Worker] < 11 || count[record.Node] < 8 || count[record.CommitService] != 2 {
		t.Errorf("records %v", count)
	}
	for _, stage := range []string{"W1", "W2", "W3", "W4", "W5-docs", "W5.5", "W6", "W7", "W9"} {
		if _, ok := inside[id+"-worker-"+stage+"-1"]; !ok {
			t.Errorf("the stage %s has no record", stage)
		}
	}
	sum := answer.Summary
	if sum.TotalRecords != len(answer.Runs) || !maps.Equal(sum.ByJobType, count) || sum.ByStatus[record.Success] != len(answer.Runs)-1 || !sum.APIPosted {
		t.Errorf("summary %+v", sum)
	}
	there := family(t, outside.store, id)
	for name, r := range inside {
		if there[name].Status != r.Status || there[name].EndTime != r.EndTime || there[name].CommitHash != r.CommitHash {
			t.Errorf("outside %s is %+v", name, there[name])
		}
	}
	if len(there) != len(inside) {
		t.Errorf("%d records outside, %d inside", len(there), len(inside))
	}
}

// with the service down for the whole run the run succeeds and the outbox
// has everything; when the service is back all of it arrives, each record before
// its changes, and nothing twice.
func TestR13ServiceDownForTheRun(t *testing.T) {
	outside := newService(t)
	outside.setDown(true)
	y := newYard(t, strings.TrimPrefix(outside.URL, "http://"))
	l, end := y.work()
	id := y.run(l, map[string]any{"stop_at": "DONE", "telemetry": map[string]any{"endpoint_url": outside.URL}})
	end()
	outboxes, _ := filepath.Glob(filepath.Join(y.dir, "yard", "runs", id, "telemetry_outbox.*.jsonl"))
	if len(outboxes) != 1 {
		t.Fatalf("the outboxes of the run are %q", outboxes)
	}
	outbox := outboxes[0]
	if text, err := os.ReadFile(outbox); err != nil || bytes.Count(text, []byte("\n")) < 30 {
		t.Fatalf("the outbox has %d lines: %v", bytes.Count(text, []byte("\n")), err)
	}
	outside.setDown(false)
	y.close(y.open()) // the next process delivers what is left
	if _, err := os.Stat(outbox); !os.IsNotExist(err) {
		t.Errorf("the outbox is still there: %v", err)
	}
	asked := outside.requests()
	seen := map[string]bool{}
	for _, request := range asked {
		_, about, change := strings.Cut(request, "/api/v1/runs/")
		about, _, _ = strings.Cut(strings.TrimSpace(about), "/")
		switch {
		case change && !seen[about]:
			t.Errorf("before its record: %s", request)
		case !change && seen[request]:
			t.Errorf("sent twice: %s", request)
		}
		seen[request] = true
	}
	records := family(t, outside.store, id)
	if parent := records[id]; parent.Status != record.Partial || parent.CommitHash == "" || len(records) < 30 {
		t.Errorf("%d records, the run's own is %s", len(records), parent.Status)
	}
	// Nothing is sent again by those who come later.
	l = y.open()
	if _, err := l.Telemetry(t.Context(), operate.TelemetryQuestion{RunID: id}); err != nil {
		t.Fatal(err)
	}
	y.close(l)
	if more := outside.requests()[len(asked):]; len(more) > 0 {
		t.Errorf("sent again: %v", more)
	}
}

// 12.3: what waits for the operator's service goes to no service of a run.
func TestOutboxOfItsOwn(t *testing.T) {
	operators, theirs := newService(t), newService(t)
	operators.setDown(true)
	y := newYard(t, strings.TrimPrefix(operators.URL, "http://"), strings.TrimPrefix(theirs.URL, "http://"))
	toOperator := func(o *operate.Options) { o.TelemetryURL = operators.URL }
	l := y.open(toOperator)
	call := l.BeginCall(record.ToolCall{Tool: "list_runs", Operation: "list_runs", RequestID: "req_AAAA"})
	if err := call.End(record.CallEnd{}); err != nil {
		t.Fatal(err)
	}
	y.close(l)
	l, end := y.work(toOperator)
	y.run(l, map[string]any{"telemetry": map[string]any{"endpoint_url": theirs.URL}})
	end()
	got, _, err := theirs.store.List(t.Context(), record.Filter{}, 500, 0)
	if err != nil || len(got) == 0 {
		t.Fatalf("the run's service got %d records: %v", len(got), err)
	}
	for _, r := range got {
		if r.ItemName == "list_runs" {
			t.Errorf("the run's service got %+v", r)
		}
	}
	if text, err := os.ReadFile(filepath.Join(y.dir, "yard", record.OutboxName)); err != nil || !bytes.Contains(text, []byte("list_runs")) {
		t.Errorf("the operator's outbox is %q: %v", text, err)
	}
}

// 12.4: a run names no variable for a telemetry service that is meant for another
// purpose, and no token goes where others can read it.
func TestTokensOfTelemetry(t *testing.T) {
	y := newYard(t, "telemetry.example", "127.0.0.1")
	l := y.open(func(o *operate.Options) { o.SecretEnv = []string{"CHOSEN"} })
	defer y.close(l)
	for _, c := range []struct {
		address, variable string
		taken             bool
	}{
		{"https://telemetry.example", "GITHUB_TOKEN", false},
		{"https://telemetry.example", "LAUNCHER_PG_PASSWORD", false},
		{"https://telemetry.example", "LAUNCHER_TELEMETRY_TOKEN", true},
		{"https://telemetry.example", "CHOSEN", true},
		{"http://telemetry.example", "CHOSEN", false},
		{"http://127.0.0.1", "CHOSEN", true},
		{"https://me:hunter2@telemetry.example", "CHOSEN", false},
	} {
		_, err := l.Start(t.Context(), operate.Caller{}, y.config(map[string]any{"telemetry": map[string]any{"endpoint_url": c.address, "auth_token_env": c.variable}}), "")
		refused := new(operate.RefusedError)
		if c.taken && err != nil || !c.taken && (!errors.As(err, &refused) || len(refused.Faults) != 1 || strings.Contains(err.Error(), "hunter2")) {
			t.Errorf("%s with %s: %v", c.address, c.variable, err)
		}
	}
	if _, err := l.Start(t.Context(), operate.Caller{}, y.config(map[string]any{"commit_service": map[string]any{"endpoint_url": "https://telemetry.example", "github_token_env": "GITHUB_TOKEN"}}), ""); err != nil {
		t.Errorf("GITHUB_TOKEN for the commit service: %v", err)
	}
	_, err := operate.Open(t.Context(), operate.Options{DataDir: t.TempDir(), TelemetryURL: "http://telemetry.example", TelemetryTokenEnv: "CHOSEN"})
	if err == nil || !strings.Contains(err.Error(), "https://") {
		t.Errorf("the operator's token over http: %v", err)
	}
}
