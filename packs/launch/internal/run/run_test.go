package run_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/index"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"

	"github.com/google/go-cmp/cmp"
)

// clock is a time that tests move.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Move(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
}

func openStore(t *testing.T, folder string, options run.Options) *run.Store {
	t.Helper()
	if options.LockWait == 0 {
		options.LockWait = 200 * time.Millisecond
	}
	store, err := run.Open(t.Context(), folder, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

func request(key string) run.Request {
	return run.Request{
		Created: snapshot.Created{Operation: "start", ProductSlug: "Acme Tool!", Family: "acme", Platform: "go", SiteProfile: "default", RequestHash: "request"},
		Config:  []byte("product_slug: acme\n"), Key: key, StopAt: "READY_FOR_PR", Enqueue: noQueue,
	}
}

func noQueue(context.Context, *sql.Tx, string, int64, time.Time) error { return nil }

func create(t *testing.T, store *run.Store) string {
	t.Helper()
	id, _, err := store.Create(t.Context(), request(""))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

var tester = run.Holder{Connection: "c1", Request: "1", Operation: "test"}

func hold(t *testing.T, store *run.Store, id string) *run.Held {
	t.Helper()
	held, err := store.Hold(t.Context(), id, tester, run.Place{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { held.Release(context.Background()) })
	return held
}

func release(t *testing.T, held *run.Held) {
	t.Helper()
	if err := held.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func status(t *testing.T, store *run.Store, id string) *snapshot.Snapshot {
	t.Helper()
	s, err := store.Status(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// path takes a run to a state by its own work.
func walk(t *testing.T, held *run.Held, to state.State) {
	t.Helper()
	for _, s := range []state.State{
		state.ClonedInputs, state.Ingested, state.FactsReady, state.PlanReady, state.Drafting, state.DraftReady, state.Linking,
		state.Validating, state.ReadyForPR, state.PROpened, state.Done,
	} {
		if err := held.Advance(t.Context(), snapshot.Change{New: s}); err != nil {
			t.Fatal(err)
		}
		if s == to {
			return
		}
	}
}

// 3.3: the id, and what a new run consists of.
func TestCreate(t *testing.T) {
	now := newClock()
	folder := t.TempDir()
	store := openStore(t, folder, run.Options{Clock: now.Now})
	id := create(t, store)
	if !regexp.MustCompile(`^r_20260101T000000Z_acme-tool_[0-9a-f]{8}$`).MatchString(id) {
		t.Errorf("id %s", id)
	}
	s := status(t, store, id)
	if s.State != state.Created || s.Activity != snapshot.Queued || s.StopAt != "READY_FOR_PR" || s.LastSeq != 2 {
		t.Errorf("snapshot %+v", s)
	}
	for name, mode := range map[string]os.FileMode{"": 0o700, run.ConfigName: 0o600, eventlog.FileName: 0o600, snapshot.FileName: 0o600} {
		info, err := os.Stat(filepath.Join(folder, "runs", id, name))
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("%q: %v, %v", name, info, err)
		}
	}
	for _, bad := range []string{"", "short", strings.Repeat("a", 65), "with space", "../../etc", "dotted.id", "ünïcodeß"} {
		if _, err := store.Status(t.Context(), bad); !errors.Is(err, run.ErrID) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := store.Status(t.Context(), "r_none_at_all"); !errors.Is(err, run.ErrNotFound) {
		t.Errorf("unknown run: %v", err)
	}
}

// 20 parallel starts with one key make one run, also for another process
// and after a restart; another request with the key is refused.
func TestIdempotency(t *testing.T) {
	folder := t.TempDir()
	stores := []*run.Store{openStore(t, folder, run.Options{}), openStore(t, folder, run.Options{})}
	ids := make([]string, 20)
	var replays sync.Map
	var calls sync.WaitGroup
	for i := range ids {
		calls.Go(func() {
			id, replay, err := stores[i%2].Create(context.Background(), request("key 1"))
			if err != nil {
				t.Error(err)
			}
			ids[i] = id
			if !replay {
				replays.Store(i, true)
			}
		})
	}
	calls.Wait()
	made := 0
	replays.Range(func(any, any) bool { made++; return true })
	for _, id := range ids {
		if id != ids[0] || made != 1 {
			t.Fatalf("%d runs were made: %v", made, ids)
		}
	}
	restarted := openStore(t, folder, run.Options{})
	if id, replay, err := restarted.Create(t.Context(), request("key 1")); id != ids[0] || !replay || err != nil {
		t.Errorf("after a restart: %s, %v, %v", id, replay, err)
	}
	other := request("key 1")
	other.RequestHash = "other"
	if _, _, err := restarted.Create(t.Context(), other); !errors.Is(err, index.ErrKeyConflict) {
		t.Errorf("another request: %v", err)
	}
	scoped := request("key 1")
	scoped.Scope = "token b"
	if id, replay, err := restarted.Create(t.Context(), scoped); id == ids[0] || replay || err != nil {
		t.Errorf("another scope: %s, %v, %v", id, replay, err)
	}
}

// A refusing queue leaves nothing behind.
func TestCreateIsAllOrNothing(t *testing.T) {
	folder := t.TempDir()
	store := openStore(t, folder, run.Options{})
	full := errors.New("full")
	refused := request("key")
	refused.Enqueue = func(context.Context, *sql.Tx, string, int64, time.Time) error { return full }
	if _, _, err := store.Create(t.Context(), refused); !errors.Is(err, full) {
		t.Fatalf("got %v", err)
	}
	entries, err := os.ReadDir(filepath.Join(folder, "runs"))
	if err != nil || len(entries) != 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	if _, replay, err := store.Create(t.Context(), request("key")); replay || err != nil {
		t.Errorf("the key was kept: %v, %v", replay, err)
	}
}

// An index that was lost is made again from the logs, keys included.
func TestLostIndexIsMadeAgain(t *testing.T) {
	folder := t.TempDir()
	store := openStore(t, folder, run.Options{})
	id, _, err := store.Create(t.Context(), request("key"))
	if err != nil {
		t.Fatal(err)
	}
	held := hold(t, store, id)
	walk(t, held, state.Ingested)
	release(t, held)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "-wal", "-shm"} {
		os.Remove(filepath.Join(folder, index.FileName+name))
	}
	if err := os.Mkdir(filepath.Join(folder, "runs", ".new-r_half_made"), 0o700); err != nil {
		t.Fatal(err)
	}
	again := openStore(t, folder, run.Options{})
	page, _, err := again.List(t.Context(), index.Filter{States: []state.State{state.Ingested}}, 0, "")
	if err != nil || len(page) != 1 || page[0].RunID != id || page[0].Family != "acme" {
		t.Errorf("list: %+v, %v", page, err)
	}
	if found, replay, err := again.Create(t.Context(), request("key")); found != id || !replay || err != nil {
		t.Errorf("key: %s, %v, %v", found, replay, err)
	}
	if _, err := os.Stat(filepath.Join(folder, "runs", ".new-r_half_made")); !os.IsNotExist(err) {
		t.Errorf("the half-made folder is there: %v", err)
	}
	hold(t, again, id) // the fences of the log are respected
}

// A process dies between making the folder of a run and its row, and another
// one makes the run again with the same key: the first one is no run.
func TestUnansweredRunMakesWay(t *testing.T) {
	folder, elsewhere := t.TempDir(), t.TempDir()
	died := openStore(t, elsewhere, run.Options{})
	ghost, _, err := died.Create(t.Context(), request("key"))
	if err != nil {
		t.Fatal(err)
	}
	now := newClock()
	store := openStore(t, folder, run.Options{Clock: now.Now})
	if err := os.CopyFS(filepath.Join(folder, "runs", ghost), os.DirFS(filepath.Join(elsewhere, "runs", ghost))); err != nil {
		t.Fatal(err)
	}
	id, replay, err := store.Create(t.Context(), request("key"))
	if replay || err != nil || id == ghost {
		t.Fatalf("%s, %v, %v", id, replay, err)
	}
	again := openStore(t, folder, run.Options{})
	page, _, err := again.List(t.Context(), index.Filter{}, 0, "")
	if err != nil || len(page) != 1 || page[0].RunID != id {
		t.Errorf("%+v, %v", page, err)
	}
	if _, err := again.Status(t.Context(), ghost); !errors.Is(err, run.ErrNotFound) {
		t.Errorf("the unanswered run: %v", err)
	}
}

// S-44: 120 runs come as 50, 50, 20 while new ones are made.
func TestPages(t *testing.T) {
	now := newClock()
	store := openStore(t, t.TempDir(), run.Options{Clock: now.Now})
	want := map[string]bool{}
	for i := range 120 {
		want[create(t, store)] = true
		if i%3 == 0 {
			now.Move(time.Millisecond)
		}
	}
	var sizes []int
	cursor := ""
	for {
		page, next, err := store.List(t.Context(), index.Filter{Family: "acme"}, 0, cursor)
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, len(page))
		for _, row := range page {
			if !want[row.RunID] {
				t.Errorf("%s comes twice or is new", row.RunID)
			}
			delete(want, row.RunID)
		}
		now.Move(time.Millisecond)
		create(t, store)
		if cursor = next; cursor == "" {
			break
		}
		if _, _, err := store.List(t.Context(), index.Filter{Family: "other"}, 0, cursor); !errors.Is(err, index.ErrCursor) {
			t.Errorf("foreign cursor: %v", err)
		}
	}
	if diff := cmp.Diff([]int{50, 50, 20}, sizes); diff != "" || len(want) != 0 {
		t.Errorf("%d runs missing, sizes (-want +got):\n%s", len(want), diff)
	}
	for _, bad := range []string{"x", "../../x", "e30", strings.Repeat("A", 512)} {
		if _, _, err := store.List(t.Context(), index.Filter{}, 0, bad); !errors.Is(err, index.ErrCursor) {
			t.Errorf("cursor %q: %v", bad, err)
		}
	}
}

// a refused transition is recorded and changes nothing.
func TestRefusedTransition(t *testing.T) {
	store := openStore(t, t.TempDir(), run.Options{})
	held := hold(t, store, create(t, store))
	illegal := (*state.IllegalError)(nil)
	if err := held.Advance(t.Context(), snapshot.Change{New: state.Done}); !errors.As(err, &illegal) {
		t.Errorf("got %v", err)
	}
	if err := held.Return(t.Context(), state.Ingested, "x"); !errors.As(err, &illegal) {
		t.Errorf("got %v", err)
	}
	if err := held.Append(t.Context(), eventlog.Draft{Type: snapshot.RunStateChanged}); err == nil {
		t.Error("a reserved event was appended")
	}
	var types []string
	if err := store.Events(held.ID(), func(e eventlog.Event) { types = append(types, e.Type) }); err != nil {
		t.Fatal(err)
	}
	want := []string{snapshot.RunCreated, snapshot.RunQueued, snapshot.InvalidTransition, snapshot.InvalidTransition}
	if diff := cmp.Diff(want, types); diff != "" || status(t, store, held.ID()).State != state.Created {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// snapshot.json is what the log replays to, after every event of a run.
func TestSnapshotOnDiskIsTheLog(t *testing.T) {
	folder := t.TempDir()
	store := openStore(t, folder, run.Options{})
	held := hold(t, store, create(t, store))
	check := func() {
		t.Helper()
		replayed := &snapshot.Snapshot{}
		if err := store.Events(held.ID(), func(e eventlog.Event) { replayed.Reduce(e) }); err != nil {
			t.Fatal(err)
		}
		want, err := replayed.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(folder, "runs", held.ID(), snapshot.FileName))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Fatalf("snapshot (-log +disk):\n%s", diff)
		}
	}
	check()
	for _, s := range []state.State{state.ClonedInputs, state.Ingested, state.FactsReady} {
		if err := held.Advance(t.Context(), snapshot.Change{New: s}); err != nil {
			t.Fatal(err)
		}
		if _, err := held.WriteArtifact(t.Context(), "page_plan.json", "page_plan/1.0", "W4", []byte(s)); err != nil {
			t.Fatal(err)
		}
		if err := held.SetSection(t.Context(), "docs", state.NotStarted); err != nil {
			t.Fatal(err)
		}
		if err := held.Append(t.Context(), eventlog.Draft{Type: "STAGE_NOTE", Payload: map[string]any{"n": 1}}); err != nil {
			t.Fatal(err)
		}
		check()
	}
}

// 5.4: whatever the snapshot file is, the log wins.
func TestSnapshotIsRebuilt(t *testing.T) {
	folder := t.TempDir()
	store := openStore(t, folder, run.Options{})
	id := create(t, store)
	file := filepath.Join(folder, "runs", id, snapshot.FileName)
	early, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	held := hold(t, store, id)
	walk(t, held, state.PlanReady)
	release(t, held)
	late, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"behind": string(early), "damaged": string(late[:100]), "empty": "", "of a log that never was": strings.ReplaceAll(string(late), `"last_seq": `, `"last_seq": 9`),
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if s := status(t, store, id); s.State != state.PlanReady || s.LastSeq > 20 {
			t.Errorf("%s: %s at %d", name, s.State, s.LastSeq)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if s := status(t, store, id); s.State != state.PlanReady {
		t.Errorf("missing: %s", s.State)
	}
}

// a run with a changed log can be read and not changed.
func TestChangedLogIsReadOnly(t *testing.T) {
	folder := t.TempDir()
	store := openStore(t, folder, run.Options{})
	id := create(t, store)
	held := hold(t, store, id)
	walk(t, held, state.Ingested)
	release(t, held)
	file := filepath.Join(folder, "runs", id, eventlog.FileName)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), `"INGESTED"`, `"INGESTEE"`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Hold(t.Context(), id, tester, run.Place{}); !errors.Is(err, eventlog.ErrChainBroken) {
		t.Errorf("hold: %v", err)
	}
	if _, err := store.Cancel(t.Context(), id, tester, ""); !errors.Is(err, eventlog.ErrChainBroken) {
		t.Errorf("cancel: %v", err)
	}
	if s := status(t, store, id); s.RunID != id {
		t.Errorf("status: %+v", s)
	}
	if _, err := store.Read(t.Context(), id, eventlog.FileName, 0, 1<<20); err != nil {
		t.Errorf("read: %v", err)
	}
}

func TestBackoffAndTimeouts(t *testing.T) {
	for attempt, want := range map[int]time.Duration{1: time.Second, 2: 2 * time.Second, 3: 4 * time.Second, 9: 30 * time.Second} {
		if got := run.Backoff(attempt, 0.5); got != want {
			t.Errorf("attempt %d: %v", attempt, got)
		}
		if low, high := run.Backoff(attempt, 0), run.Backoff(attempt, 1); low != want*8/10 || high != want*12/10 {
			t.Errorf("attempt %d: %v to %v", attempt, low, high)
		}
	}
	for worker, want := range map[string]string{"W1": "10m0s", "W4": "2m0s", "W5": "15m0s", "W5.5": "10m0s", "W9": "3m0s"} {
		if got := fmt.Sprint(run.Timeout(worker, "ci")); got != want {
			t.Errorf("%s: %s", worker, got)
		}
	}
}

// 5.3: payloads are redacted before they are hashed and written.
func TestPayloadsAreRedacted(t *testing.T) {
	folder := t.TempDir()
	hide := func(value any) any {
		object := maps.Clone(value.(map[string]any))
		if _, ok := object["text"]; ok {
			object["text"] = "[redacted]"
		}
		return object
	}
	store := openStore(t, folder, run.Options{Redact: hide})
	held := hold(t, store, create(t, store))
	if err := held.Append(t.Context(), note("hunter2")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "runs", held.ID(), eventlog.FileName))
	if err != nil || strings.Contains(string(text), "hunter2") || !strings.Contains(string(text), `{"text":"[redacted]"}`) {
		t.Errorf("%s, %v", text, err)
	}
}

// 15.1: the status of a run with a long log.
func BenchmarkStatus(b *testing.B) {
	store, err := run.Open(b.Context(), b.TempDir(), run.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	id, _, err := store.Create(b.Context(), request(""))
	if err != nil {
		b.Fatal(err)
	}
	held, err := store.Hold(b.Context(), id, tester, run.Place{})
	if err != nil {
		b.Fatal(err)
	}
	for i := range 2000 {
		drafts := []eventlog.Draft{note(fmt.Sprint(i))}
		if i%100 == 0 {
			drafts = append(drafts, eventlog.Draft{Type: snapshot.FixAttempted})
		}
		if err := held.Append(b.Context(), drafts...); err != nil {
			b.Fatal(err)
		}
	}
	if err := held.Release(b.Context()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if s, err := store.Status(b.Context(), id); err != nil || s.FixAttempts != 20 {
			b.Fatal(s, err)
		}
	}
}
