package launch_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mcpworks/mcp/server"
	"mcpworks/mcp/transport"
	"mcpworks/packs/launch"
	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/operate"
	"mcpworks/packs/launch/internal/pipeline"
	"mcpworks/packs/launch/internal/pr"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// A walker executes runs without doing any work: they go one state a step, up to
// PLAN_READY, where there is a plan.
type walker struct {
	// at is asked before each step, with the state it begins in; nil goes on.
	at func(ctx context.Context, s state.State) error
	// plan is the content of page_plan.json.
	plan []byte

	mu     sync.Mutex
	paused map[string]chan struct{} // by run
	rested map[string]bool          // its channel is closed
}

var way = []state.State{state.Created, state.ClonedInputs, state.Ingested, state.FactsReady, state.PlanReady}

func (w *walker) Stages() []run.Stage {
	return []run.Stage{{Worker: "W1", From: state.ClonedInputs}, {Worker: "W4", After: []string{"W1"}, From: state.FactsReady}}
}

func (w *walker) Execute(ctx context.Context, held *run.Held) (bool, error) {
	from := held.Snapshot().State
	if w.at != nil {
		if err := w.at(ctx, from); err != nil {
			return false, err
		}
	}
	next := slices.Index(way, from) + 1
	if next == len(way) {
		return false, w.rest(ctx, held)
	}
	if way[next] == state.PlanReady {
		if _, err := held.WriteArtifact(ctx, "page_plan.json", "page_plan/1.0", "W4", w.plan); err != nil {
			return false, err
		}
	}
	if err := held.Advance(ctx, snapshot.Change{New: way[next]}); err != nil {
		return false, err
	}
	if way[next] != state.PlanReady {
		return true, nil
	}
	return false, w.rest(ctx, held)
}

func (w *walker) rest(ctx context.Context, held *run.Held) error {
	err := held.Pause(ctx, snapshot.StopAt)
	if err == nil {
		resting := w.resting(held.ID())
		w.mu.Lock()
		defer w.mu.Unlock()
		if !w.rested[held.ID()] {
			w.rested[held.ID()] = true
			close(resting)
		}
	}
	return err
}

// Validate finds nothing.
func (w *walker) Validate(ctx context.Context, held *run.Held, _ []string) (artifact.ValidationReport, error) {
	if w.at != nil {
		if err := w.at(ctx, state.Validating); err != nil {
			return artifact.ValidationReport{}, err
		}
	}
	return artifact.ValidationReport{
		SchemaVersion: artifact.Version, OK: true, Profile: "local", Gates: []artifact.GateResult{}, Issues: []issue.Issue{},
		Counts: map[string]int{"blocker": 0, "error": 0, "warn": 0, "info": 0},
	}, nil
}

// FixNext has nothing to fix.
func (w *walker) FixNext(context.Context, *run.Held) (pipeline.Fixed, error) {
	return pipeline.Fixed{}, &pipeline.Fault{Code: pipeline.CodeUnfixable, Message: "there is nothing to fix"}
}

// OpenPR is never ready.
func (w *walker) OpenPR(_ context.Context, held *run.Held, _ pr.Options) (pr.Outcome, error) {
	return pr.Outcome{}, &state.IllegalError{State: held.Snapshot().State, Reason: "pull requests are opened in READY_FOR_PR"}
}

// resting is closed when a run has paused.
func (w *walker) resting(runID string) chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.paused == nil {
		w.paused, w.rested = map[string]chan struct{}{}, map[string]bool{}
	}
	if w.paused[runID] == nil {
		w.paused[runID] = make(chan struct{})
	}
	return w.paused[runID]
}

// A house is a launcher with its data directory.
type house struct {
	*launch.Launcher
	dir    string
	walker *walker
	places []string // no answer may name them
	idle   func()   // ends the execution of runs

	once sync.Once
	srv  *server.Server // of all connections
}

// noon is when everything happens.
var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// newHouse opens a launcher; work says whether it executes runs.
func newHouse(t *testing.T, cfg launch.Config, w *walker, work bool) *house {
	t.Helper()
	if cfg.DataDir == "" {
		cfg.DataDir = filepath.Join(t.TempDir(), "data")
	}
	if cfg.NetworkAllowlist == nil {
		cfg.NetworkAllowlist = []string{"github.com"}
	}
	if w == nil {
		w = &walker{}
	}
	if w.plan == nil {
		w.plan = []byte("{\n  \"pages\": []\n}\n")
	}
	l, err := launch.Open(t.Context(), cfg, func(operate.Rooms) (operate.Executor, error) { return w, nil })
	if err != nil {
		t.Fatal(err)
	}
	h := &house{Launcher: l, dir: cfg.DataDir, walker: w, places: []string{cfg.DataDir, os.TempDir() + "/"}}
	if home, err := os.UserHomeDir(); err == nil && home != "/" {
		h.places = append(h.places, home+"/")
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	if work {
		go func() { ended <- l.Work(ctx) }()
	} else {
		ended <- nil
	}
	h.idle = sync.OnceFunc(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		h.idle()
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// runConfig is a config that can be used, as JSON, with some members changed.
func runConfig(changes map[string]any) string {
	config := map[string]any{
		"schema_version": "2.0", "product_slug": "acme", "product_name": "Acme", "family": "acme", "target_platform": "python", "locales": []string{"en"},
		"github_repo_url": "https://github.com/acme/acme", "github_ref": "main", "required_sections": []string{"docs"},
		"allowed_paths": []string{"content/docs/acme/en/python/"}, "stop_at": "PLAN_READY",
	}
	for name, value := range changes {
		config[name] = value
	}
	text, err := json.Marshal(config)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// A reply is one message of the server.
type reply struct {
	ID     json.RawMessage
	Method string
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
		Data    struct {
			ErrorCode    string `json:"error_code"`
			Code         string
			ToolName     string `json:"tool_name"`
			RunID        string `json:"run_id"`
			Retryable    *bool
			Retry        *struct{ Strategy string }
			Details      map[string]any
			SuggestedFix string `json:"suggested_fix"`
			RequestID    string `json:"request_id"`
		}
	}
}

// A session speaks JSON-RPC with a server over the pair in memory.
type session struct {
	t      *testing.T
	conn   transport.Conn
	sent   int
	places []string
	stop   func() // asks the server to end
	hangUp func() // ends the connection, and waits until that is noticed
}

// open serves the house to a new client that has done the handshake.
func (h *house) open(t *testing.T) *session {
	t.Helper()
	return connect(t, h.server(t), h.places, "2025-11-25")
}

// server is the one server of all connections.
func (h *house) server(t *testing.T) *server.Server {
	t.Helper()
	h.once.Do(func() {
		var err error
		if h.srv, err = h.Server(); err != nil {
			t.Fatal(err)
		}
	})
	return h.srv
}

// connect serves a new client that has done the handshake.
func connect(t *testing.T, srv *server.Server, places []string, version string) *session {
	t.Helper()
	s := dial(t, srv, places)
	r := s.ask("initialize", `{"protocolVersion":"`+version+`","capabilities":{},"clientInfo":{"name":"test","version":"0"}}`)
	if r.Error != nil {
		t.Fatalf("initialize: %+v", r.Error)
	}
	s.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return s
}

// connectRaw serves a new client that has said nothing yet.
func connectRaw(t *testing.T, h *house) *session {
	t.Helper()
	return dial(t, h.server(t), h.places)
}

func dial(t *testing.T, srv *server.Server, places []string) *session {
	near, far := transport.Pair()
	ctx, stop := context.WithCancel(context.Background())
	s := &session{t: t, conn: near, places: places, stop: stop}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ctx, far) }()
	s.hangUp = sync.OnceFunc(func() {
		near.Close(context.Background())
		if err := <-served; err != nil && !errors.Is(err, transport.ErrGone) { // both ends of the connection end at once
			t.Errorf("serving ended with %v", err)
		}
		stop()
	})
	t.Cleanup(s.hangUp)
	return s
}

func (s *session) send(frame string) {
	s.t.Helper()
	if err := s.conn.Write(s.t.Context(), []byte(frame)); err != nil {
		s.t.Fatal(err)
	}
}

// next is the next message of the server. None may name a place of this machine
// (S-39).
func (s *session) next() (reply, string) {
	s.t.Helper()
	frame, err := s.conn.Read()
	if err != nil {
		s.t.Fatal(err)
	}
	text := string(frame)
	for _, place := range s.places {
		if strings.Contains(text, place) {
			s.t.Errorf("S-39: an answer names %s: %s", place, text)
		}
	}
	var r reply
	if err := json.Unmarshal(frame, &r); err != nil {
		s.t.Fatalf("%v in %s", err, text)
	}
	return r, text
}

// ask sends a request and returns its answer; notifications are passed over.
func (s *session) ask(method, params string) reply {
	s.t.Helper()
	s.sent++
	s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, s.sent, method, params))
	for {
		if r, _ := s.next(); r.Method == "" {
			return r
		}
	}
}

// call calls a tool.
func (s *session) call(tool, arguments string) reply {
	s.t.Helper()
	return s.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
}

// structured is what a tool answers, read into a value and as text.
func (r reply) structured(t *testing.T, into any) string {
	t.Helper()
	var result struct{ StructuredContent json.RawMessage }
	if r.Error != nil {
		t.Fatalf("the call failed: %+v", r.Error)
	}
	if err := json.Unmarshal(r.Result, &result); err != nil {
		t.Fatal(err)
	}
	if into != nil {
		if err := json.Unmarshal(result.StructuredContent, into); err != nil {
			t.Fatal(err)
		}
	}
	return string(result.StructuredContent)
}

// wants checks the code of an error.
func (r reply) wants(t *testing.T, rpc int, errorCode string) {
	t.Helper()
	switch {
	case r.Error == nil:
		t.Fatalf("want %s, got the result %s", errorCode, r.Result)
	case r.Error.Code != rpc || r.Error.Data.ErrorCode != errorCode:
		t.Fatalf("want %d %s, got %+v", rpc, errorCode, r.Error)
	case r.Error.Data.Retryable == nil || r.Error.Data.Details == nil: // 18.15
		t.Fatalf("the error has no retryable or no details: %+v", r.Error)
	case *r.Error.Data.Retryable != (r.Error.Data.Retry != nil):
		t.Fatalf("S-34: retryable and retry disagree: %+v", r.Error)
	}
}

// start starts a run with a key and returns its id.
func (s *session) start(key string) string {
	s.t.Helper()
	var started struct {
		RunID string `json:"run_id"`
	}
	s.call("launch_start_run", `{"run_config":`+runConfig(nil)+`,"idempotency_key":"`+key+`"}`).structured(s.t, &started)
	return started.RunID
}
