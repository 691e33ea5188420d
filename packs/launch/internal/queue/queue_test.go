package queue_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/queue"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"

	"github.com/google/go-cmp/cmp"
)

// way is what the runs of these tests go, one state per step.
var way = []state.State{state.Created, state.ClonedInputs, state.Ingested, state.FactsReady}

var stages = []run.Stage{{Worker: "W1", From: state.Created}}

// advance is a step: the next state, or a pause at the end of the way.
func advance(ctx context.Context, held *run.Held) (bool, error) {
	at := slices.Index(way, held.Snapshot().State)
	if at+1 == len(way) { // an executor was killed just before the pause
		return false, held.Pause(ctx, snapshot.StopAt)
	}
	if err := held.Advance(ctx, snapshot.Change{New: way[at+1]}); err != nil {
		return false, err
	}
	if at+2 < len(way) {
		return true, nil
	}
	return false, held.Pause(ctx, snapshot.StopAt)
}

func openStore(t *testing.T, folder string, options run.Options) *run.Store {
	t.Helper()
	options.Migrate = queue.Migrate
	store, err := run.Open(t.Context(), folder, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

func newQueue(t *testing.T, store *run.Store, step queue.Step, options queue.Options) *queue.Queue {
	t.Helper()
	options.Poll = 20 * time.Millisecond
	q, err := queue.New(store, stages, step, options)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// work lets a queue work until stop is called.
func work(t *testing.T, q *queue.Queue) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- q.Work(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return stop
}

func request(q *queue.Queue, profile, owner string) run.Request {
	return run.Request{
		Created: snapshot.Created{Operation: "start", ProductSlug: "acme", SiteProfile: profile, Owner: owner, RequestHash: "x"},
		Config:  []byte("a: b\n"), Enqueue: q.Enqueue,
	}
}

func create(t *testing.T, store *run.Store, q *queue.Queue, profile, owner string) string {
	t.Helper()
	id, _, err := store.Create(t.Context(), request(q, profile, owner))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func status(t *testing.T, store *run.Store, id string) *snapshot.Snapshot {
	t.Helper()
	s, err := store.Status(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// meter counts who is at work.
type meter struct {
	mu      sync.Mutex
	at      map[string]int
	highest map[string]int
	// together is closed when three are at work.
	together chan struct{}
	once     sync.Once
}

func (m *meter) enter(keys ...string) (leave func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.at == nil {
		m.at, m.highest = map[string]int{}, map[string]int{}
	}
	for _, key := range keys {
		m.at[key]++
		m.highest[key] = max(m.highest[key], m.at[key])
		if m.at[key] == 3 {
			m.once.Do(func() { close(m.together) })
		}
	}
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		for _, key := range keys {
			m.at[key]--
		}
	}
}

// 100 runs of 3 site profiles, executed by two queues with 8 places
// in all, finish; no limit is ever exceeded, and no run is executed twice at a
// time.
func TestHundredRuns(t *testing.T) {
	folder := t.TempDir()
	count := 100
	if testing.Short() {
		count = 20
	}
	m := meter{together: make(chan struct{})}
	finished := make(chan string, 2*count)
	step := func(ctx context.Context, held *run.Held) (bool, error) {
		defer m.enter("all", "profile "+held.Snapshot().SiteProfile, "run "+held.ID())()
		<-m.together // the first ones wait until they are several
		again, err := advance(ctx, held)
		if err == nil && !again {
			finished <- held.ID()
		}
		return again, err
	}
	options := queue.Options{Concurrency: 4, PerProfile: 2}
	var ids []string
	var stores []*run.Store
	for range 2 {
		store := openStore(t, folder, run.Options{})
		q := newQueue(t, store, step, options)
		work(t, q)
		stores = append(stores, store)
		for i := range count / 2 {
			ids = append(ids, create(t, store, q, fmt.Sprint(i%3), ""))
		}
	}
	var got []string
	for range ids {
		got = append(got, <-finished)
	}
	slices.Sort(ids)
	slices.Sort(got)
	if diff := cmp.Diff(ids, got); diff != "" {
		t.Errorf("finished (-want +got):\n%s", diff)
	}
	for key, highest := range m.highest {
		limit := map[string]int{"a": 8, "p": 2, "r": 1}[key[:1]]
		if highest > limit {
			t.Errorf("%s: %d at once, the limit is %d", key, highest, limit)
		}
	}
	for _, id := range ids {
		seen := 0
		if err := stores[0].Events(id, func(e eventlog.Event) {
			if e.Type == snapshot.RunStateChanged {
				seen++
			}
		}); err != nil || seen != len(way)-1 {
			t.Errorf("%s: %d changes of state, %v", id, seen, err)
		}
	}
}

// 15.1: owners take turns, whoever came first; inside an owner it is first come,
// first served.
func TestOwnersTakeTurns(t *testing.T) {
	store := openStore(t, t.TempDir(), run.Options{})
	served := make(chan string, 100)
	q := newQueue(t, store, func(ctx context.Context, held *run.Held) (bool, error) {
		served <- held.ID()
		return false, held.Pause(ctx, snapshot.StopAt)
	}, queue.Options{Concurrency: 1})
	names := map[string]string{}
	for i := range 6 {
		names[create(t, store, q, "default", "busy")] = fmt.Sprint("busy ", i)
	}
	for i := range 2 {
		names[create(t, store, q, "default", "small")] = fmt.Sprint("small ", i)
	}
	work(t, q)
	var order []string
	for range names {
		order = append(order, names[<-served])
	}
	want := []string{"busy 0", "small 0", "busy 1", "small 1", "busy 2", "busy 3", "busy 4", "busy 5"}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

// 15.1: a full queue refuses new runs, makes nothing of them, and lets those
// that it has go on.
func TestFullQueue(t *testing.T) {
	store := openStore(t, t.TempDir(), run.Options{})
	finished := make(chan struct{}, 3)
	q := newQueue(t, store, func(ctx context.Context, held *run.Held) (bool, error) {
		again, err := advance(ctx, held)
		if !again {
			finished <- struct{}{}
		}
		return again, err
	}, queue.Options{Limit: 3})
	for range 3 {
		create(t, store, q, "default", "")
	}
	if _, _, err := store.Create(t.Context(), request(q, "default", "")); !errors.Is(err, queue.ErrFull) {
		t.Errorf("a fourth run: %v", err)
	}
	if depth, err := q.Depth(t.Context()); err != nil || depth != 3 {
		t.Errorf("depth %d, %v", depth, err)
	}
	work(t, q)
	for range 3 {
		<-finished
	}
}

// 5.8: cancelling reaches the step at work; a run that waits is dropped.
func TestCancel(t *testing.T) {
	store := openStore(t, t.TempDir(), run.Options{WatchEvery: time.Millisecond})
	begun := make(chan string, 10)
	q := newQueue(t, store, func(ctx context.Context, held *run.Held) (bool, error) {
		begun <- held.ID()
		<-ctx.Done()
		return false, ctx.Err()
	}, queue.Options{Concurrency: 1})
	atWork := create(t, store, q, "default", "")
	stop := work(t, q)
	if got := <-begun; got != atWork {
		t.Fatalf("%s began", got)
	}
	waits := create(t, store, q, "default", "")
	by := run.Holder{Connection: "c", Operation: "cancel_run"}
	for _, id := range []string{waits, atWork} {
		result, err := store.Cancel(t.Context(), id, by, "")
		if err != nil || result.Continues {
			t.Errorf("cancel: %+v, %v", result, err)
		}
		if err := q.Drop(t.Context(), id); err != nil {
			t.Error(err)
		}
		if s := status(t, store, id); s.State != state.Cancelled {
			t.Errorf("state %s", s.State)
		}
	}
	if depth, err := q.Depth(t.Context()); err != nil || depth != 0 {
		t.Errorf("depth %d, %v", depth, err)
	}
	stop()
	if len(begun) != 0 {
		t.Errorf("%s began", <-begun)
	}
}

// a process that ends puts its runs back, and the next one goes on at once.
func TestStoppedQueueHandsOver(t *testing.T) {
	folder := t.TempDir()
	first := openStore(t, folder, run.Options{})
	begun := make(chan struct{})
	one := newQueue(t, first, func(ctx context.Context, held *run.Held) (bool, error) {
		if err := held.Advance(ctx, snapshot.Change{New: state.ClonedInputs}); err != nil {
			return false, err
		}
		close(begun)
		<-ctx.Done()
		return false, ctx.Err()
	}, queue.Options{})
	id := create(t, first, one, "default", "")
	stop := work(t, one)
	<-begun
	stop()
	if s := status(t, first, id); s.Activity != snapshot.Queued || !s.Rewind {
		t.Errorf("after the stop: %s, rewind %v", s.Activity, s.Rewind)
	}
	second := openStore(t, folder, run.Options{})
	finished := make(chan struct{})
	work(t, newQueue(t, second, func(ctx context.Context, held *run.Held) (bool, error) {
		again, err := advance(ctx, held)
		if !again {
			close(finished)
		}
		return again, err
	}, queue.Options{}))
	<-finished
}

// A step that breaks fails its run in a way that can be resumed, and harms no
// other.
func TestBrokenSteps(t *testing.T) {
	store := openStore(t, t.TempDir(), run.Options{})
	finished := make(chan struct{})
	q := newQueue(t, store, func(ctx context.Context, held *run.Held) (bool, error) {
		switch held.Snapshot().Owner {
		case "error":
			return false, errors.New("broken")
		case "panic":
			panic("broken")
		}
		again, err := advance(ctx, held)
		if !again {
			close(finished)
		}
		return again, err
	}, queue.Options{Concurrency: 1})
	broken := []string{create(t, store, q, "default", "error"), create(t, store, q, "default", "panic")}
	create(t, store, q, "default", "well")
	stop := work(t, q)
	<-finished
	stop()
	for _, id := range broken {
		if s := status(t, store, id); s.State != state.Failed || s.PauseReason != snapshot.FailedPause || !s.Failure.Resumable {
			t.Errorf("%s, %s, %+v", s.State, s.PauseReason, s.Failure)
		}
	}
}
