package record_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/record"
)

// A flaky is a telemetry service that may be down. It notes what it has taken,
// in order.
type flaky struct {
	mu    sync.Mutex
	inner http.Handler
	fail  func(n int, r *http.Request) int // the status; 0 hands on, -1 loses the answer
	n     int
	taken []string // method, and what it is about
	got   chan struct{}
}

func (f *flaky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	f.mu.Lock()
	f.n++
	status := 0
	if f.fail != nil {
		status = f.fail(f.n, r)
	}
	f.mu.Unlock()
	if status > 0 {
		w.WriteHeader(status)
		return
	}
	answer := httptest.NewRecorder()
	f.inner.ServeHTTP(answer, r)
	var about struct {
		RunID  string `json:"run_id"`
		Status string `json:"status"`
		Item   string `json:"item_name"`
	}
	_ = json.Unmarshal(body, &about)
	f.mu.Lock()
	if answer.Code < 300 {
		f.taken = append(f.taken, strings.TrimSpace(r.Method+" "+about.Item+about.Status))
	}
	f.mu.Unlock()
	if status < 0 {
		panic(http.ErrAbortHandler)
	}
	w.WriteHeader(answer.Code)
	if f.got != nil {
		f.got <- struct{}{}
	}
}

func (f *flaky) set(fail func(n int, r *http.Request) int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fail, f.n = fail, 0
}

func (f *flaky) requests() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.taken...)
}

type delivery struct {
	store  *record.Store
	far    *flaky
	server *httptest.Server
	folder string // the data directory
	run    string // the run's folder
}

func deliver(t *testing.T) *delivery {
	t.Helper()
	d := &delivery{store: openStore(t, t.TempDir(), nil), folder: t.TempDir()}
	d.run = filepath.Join(d.folder, "runs", runID)
	if err := os.MkdirAll(d.run, 0o700); err != nil {
		t.Fatal(err)
	}
	d.far = &flaky{inner: d.store.Handler(record.HandlerOptions{})}
	d.server = httptest.NewServer(d.far)
	t.Cleanup(d.server.Close)
	return d
}

func (d *delivery) sender(t *testing.T, change func(*record.SenderConfig)) *record.Sender {
	t.Helper()
	config := record.SenderConfig{URL: d.server.URL, Folder: d.folder, Every: time.Hour, Now: now, Wait: func(context.Context, time.Duration) error { return nil }}
	if change != nil {
		change(&config)
	}
	s, err := record.NewSender(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close(gone(t)) })
	return s
}

func gone(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	cancel()
	return ctx
}

// work makes three records of a run and ends each.
func work(t *testing.T, s *record.Sender, folder string) (want []string) {
	t.Helper()
	done := record.Success
	for i := range 3 {
		r := child(record.Worker, fmt.Sprint("W", i), i)
		r.Status, r.ItemName = record.Running, fmt.Sprintf("W%d ", i)
		if err := s.Create(folder, r); err != nil {
			t.Fatal(err)
		}
		if err := s.Update(folder, r.EventID, record.Update{Status: &done}); err != nil {
			t.Fatal(err)
		}
		want = append(want, fmt.Sprintf("POST W%d running", i), "PATCH success")
	}
	return want
}

func pending(t *testing.T, s *record.Sender, folder string) int {
	t.Helper()
	n, err := s.Pending(folder)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// 12.3: what works is sent at once, in order.
func TestDelivered(t *testing.T) {
	d := deliver(t)
	s := d.sender(t, nil)
	want := work(t, s, d.run)
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Associate(d.run, []string{child(record.Worker, "W0", 0).EventID}, record.Commit{Hash: "0123abc", Source: "llm"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(append(want, "POST"), d.far.requests()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(record.Counts{Sent: 7}, s.Counts()); diff != "" {
		t.Error(diff)
	}
	if got, err := d.store.Get(t.Context(), record.ChildID(runID, record.Worker, "W0")); err != nil || got.CommitHash != "0123abc" || got.Status != record.Success {
		t.Errorf("%+v, %v", got, err)
	}
}

// the service is down for a whole run; afterwards everything arrives, in
// order and once, from another process.
func TestDownForAWholeRun(t *testing.T) {
	d := deliver(t)
	d.far.set(func(int, *http.Request) int { return 503 })
	s := d.sender(t, nil)
	want := work(t, s, d.run)
	if err := s.Flush(t.Context()); err == nil {
		t.Error("the outbox is said to be empty")
	}
	if n := pending(t, s, d.run); n != 6 {
		t.Errorf("%d records wait", n)
	}
	if err := s.Close(t.Context()); err == nil {
		t.Error("the outbox is said to be empty")
	}
	if got := s.Counts(); got.Kept != 6 || got.Sent+got.Dead+got.Dropped != 0 {
		t.Errorf("%+v", got)
	}
	d.far.set(nil)
	later := d.sender(t, nil)
	later.Watch(d.run)
	if err := later.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, d.far.requests()); diff != "" {
		t.Error(diff)
	}
	if n := pending(t, later, d.run); n != 0 {
		t.Errorf("%d records wait", n)
	}
	if list, total, err := d.store.List(t.Context(), record.Filter{Status: record.Success}, 10, 0); total != 3 || err != nil {
		t.Errorf("%+v, %v", list, err)
	}
}

// 12.3: three tries; a service that comes back meanwhile gets the record, and
// one that has it already makes no second one of it.
func TestTries(t *testing.T) {
	d := deliver(t)
	var waits []time.Duration
	s := d.sender(t, func(c *record.SenderConfig) {
		c.Wait = func(_ context.Context, w time.Duration) error { waits = append(waits, w); return nil }
	})
	d.far.set(func(n int, _ *http.Request) int { return []int{0, 502, -1, 0}[n] })
	if err := s.Create(d.run, parent()); err != nil {
		t.Fatal(err)
	}
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]time.Duration{time.Second, 2 * time.Second}, waits); diff != "" {
		t.Error(diff)
	}
	if _, total, err := d.store.List(t.Context(), record.Filter{}, 10, 0); total != 1 || err != nil || s.Counts().Sent != 1 {
		t.Errorf("%d records, %v", total, err)
	}
}

// C-35: what is refused is put aside and not tried again, and is in nobody's
// way.
func TestDeadLetters(t *testing.T) {
	d := deliver(t)
	s := d.sender(t, nil)
	status := record.Success
	if err := s.Update(d.run, record.EventID("nobody"), record.Update{Status: &status}); err != nil {
		t.Fatal(err)
	}
	want := work(t, s, d.run)
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, d.far.requests()); diff != "" {
		t.Error(diff)
	}
	text, err := os.ReadFile(filepath.Join(d.folder, record.DeadName))
	if err != nil || !strings.Contains(string(text), `"reason":"refused for good: status 404"`) || s.Counts().Dead != 1 || pending(t, s, d.run) != 0 {
		t.Errorf("%s, %v, %+v", text, err, s.Counts())
	}
	if err := s.Create(d.run, record.Record{}); err == nil {
		t.Error("a record without anything is taken")
	}
}

// 12.3: a queue that is full goes to disk; nobody waits, and no change overtakes
// its record, not even one that was on its way.
func TestFullQueue(t *testing.T) {
	d := deliver(t)
	reached, release := make(chan struct{}), make(chan struct{})
	d.far.set(func(n int, _ *http.Request) int { return map[int]int{1: 503, 2: 503, 3: 503}[n] })
	s := d.sender(t, func(c *record.SenderConfig) {
		c.Queue = 3
		c.Wait = func(context.Context, time.Duration) error {
			reached <- struct{}{}
			<-release
			return nil
		}
	})
	running := parent()
	running.ItemName = "parent "
	if err := s.Create(d.run, running); err != nil {
		t.Fatal(err)
	}
	<-reached // the record is on its way
	status := record.Success
	if err := s.Update(d.run, running.EventID, record.Update{Status: &status}); err != nil {
		t.Fatal(err)
	}
	work(t, s, d.run)
	if n := pending(t, s, d.run); n == 0 {
		t.Error("nothing went to disk")
	}
	release <- struct{}{}
	<-reached
	close(release)
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := d.far.requests(); len(got) != 8 || s.Counts().Dead != 0 || s.Counts().Dropped != 0 {
		t.Errorf("%v, %+v", got, s.Counts())
	}
	if list, total, err := d.store.List(t.Context(), record.Filter{Status: record.Success}, 10, 0); total != 4 || err != nil {
		t.Errorf("%+v, %v", list, err)
	}
}

// C-35: an outbox does not grow without end; that something is lost is counted
// and recorded.
func TestFullOutbox(t *testing.T) {
	d := deliver(t)
	d.far.set(func(int, *http.Request) int { return 503 })
	s := d.sender(t, func(c *record.SenderConfig) { c.Max = 4000 })
	for i := range 40 {
		if err := s.Create(d.run, child(record.Gate, fmt.Sprint(i), i)); err != nil {
			t.Fatal(err)
		}
	}
	_ = s.Flush(t.Context())
	info, err := os.Stat(filepath.Join(d.run, record.OutboxName))
	if err != nil || info.Size() > 5000 {
		t.Fatalf("%v, %v", info, err)
	}
	dropped := s.Counts().Dropped
	waiting := pending(t, s, d.run)
	d.far.set(nil)
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	list, _, err := d.store.List(t.Context(), record.Filter{JobType: record.Telemetry}, 10, 0)
	if err != nil || len(list) != 1 || list[0].ItemName != record.TruncatedItem || *list[0].ItemsFailed != dropped || list[0].ParentRunID != runID {
		t.Errorf("%d were dropped: %+v, %v", dropped, list, err)
	}
	_, arrived, err := d.store.List(t.Context(), record.Filter{JobType: record.Gate}, 100, 0)
	if err != nil || dropped == 0 || arrived+dropped != 40 || waiting != arrived+1 {
		t.Errorf("%d dropped, %d arrived, %d waited, %v", dropped, arrived, waiting, err)
	}
}

// What a killed process left of a line is no record, and harms none.
func TestTornOutbox(t *testing.T) {
	d := deliver(t)
	d.far.set(func(int, *http.Request) int { return 503 })
	s := d.sender(t, nil)
	if err := os.WriteFile(filepath.Join(d.run, record.OutboxName), []byte(`{"endpoint":"/api/v1/ru`), 0o600); err != nil {
		t.Fatal(err)
	}
	want := work(t, s, d.run)
	_ = s.Flush(t.Context())
	d.far.set(nil)
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, d.far.requests()); diff != "" {
		t.Error(diff)
	}
}

// 12.3: outboxes are tried again by themselves.
func TestTriedAgain(t *testing.T) {
	d := deliver(t)
	d.far.set(func(n int, _ *http.Request) int { return map[bool]int{true: 503}[n <= 3] })
	d.far.got = make(chan struct{}, 1)
	s := d.sender(t, func(c *record.SenderConfig) { c.Every = time.Millisecond })
	if err := s.Create("", parent()); err != nil {
		t.Fatal(err)
	}
	<-d.far.got
	if got := d.far.requests(); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

// S-36: what is sent, and what waits, has no secrets.
func TestSenderRedacts(t *testing.T) {
	d := deliver(t)
	d.far.set(func(int, *http.Request) int { return 503 })
	s := d.sender(t, nil)
	r := parent()
	r.Context = map[string]any{"password": "hunter2", "note": "Bearer abcdefghijklmnop"}
	if err := s.Create("", r); err != nil {
		t.Fatal(err)
	}
	_ = s.Close(t.Context())
	text, err := os.ReadFile(filepath.Join(d.folder, record.OutboxName))
	if err != nil || strings.Contains(string(text), "hunter2") || strings.Contains(string(text), "abcdefghijklmnop") {
		t.Errorf("%s, %v", text, err)
	}
	if err := s.Create("", parent()); err != nil { // after the end it still lasts
		t.Fatal(err)
	}
	if n := pending(t, s, ""); n != 2 {
		t.Errorf("%d records wait", n)
	}
}

// A run that was removed does not come back because of its telemetry.
func TestRemovedRun(t *testing.T) {
	d := deliver(t)
	d.far.set(func(int, *http.Request) int { return 503 })
	s := d.sender(t, nil)
	if err := os.RemoveAll(d.run); err != nil {
		t.Fatal(err)
	}
	work(t, s, d.run)
	_ = s.Flush(t.Context())
	if n := pending(t, s, ""); n != 6 {
		t.Errorf("%d records wait", n)
	}
	if _, err := os.Stat(d.run); !os.IsNotExist(err) {
		t.Errorf("the folder: %v", err)
	}
}
