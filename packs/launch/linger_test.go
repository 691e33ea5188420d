package launch_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"mcpworks/packs/launch"
	"mcpworks/packs/launch/internal/operate"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// A drafter goes on where a walker rests, through DRAFTING, which is not stable,
// and further if it is let.
type drafter struct {
	*walker
	drafting, release chan struct{}
	once              sync.Once
}

var further = append(slices.Clone(way), state.Drafting, state.DraftReady, state.Linking, state.Validating)

func (d *drafter) Execute(ctx context.Context, held *run.Held) (bool, error) {
	from := held.Snapshot().State
	if from == state.Drafting {
		d.once.Do(func() { close(d.drafting) })
		select {
		case <-d.release:
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
	}
	next := slices.Index(further, from) + 1
	if next == len(further) {
		return false, held.Pause(ctx, snapshot.FixManual)
	}
	return true, held.Advance(ctx, snapshot.Change{New: further[next]})
}

// 14.4: a process that lingers lets its runs come to the next stable state, and no
// further; one that does not leaves them where they are.
func TestLinger(t *testing.T) {
	for _, linger := range []bool{true, false} {
		d := &drafter{walker: &walker{}, drafting: make(chan struct{}), release: make(chan struct{})}
		l, err := launch.Open(t.Context(), launch.Config{DataDir: t.TempDir(), NetworkAllowlist: []string{"github.com"}, Linger: linger},
			func(operate.Rooms) (operate.Executor, error) { return d, nil })
		if err != nil {
			t.Fatal(err)
		}
		working, stop := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- l.Work(working) }()
		s := (&house{Launcher: l}).open(t)
		run := s.start("one")
		<-d.drafting
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			l.Linger(t.Context())
			stop()
		}()
		want := "DRAFTING"
		if linger {
			close(d.release)
			want = "DRAFT_READY"
		}
		<-gone
		if err := <-ended; err != nil {
			t.Error(err)
		}
		var now struct{ State, Activity string }
		s.call("get_run_status", `{"run_id":"`+run+`"}`).structured(t, &now)
		if now.State != want || now.Activity != "queued" {
			t.Errorf("linger %v: the run is %+v", linger, now)
		}
		s.hangUp()
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A giver takes the first run to DRAFTING, holds on to the second one in CREATED until
// it is released, and lets it rest then.
type giver struct {
	*walker
	first           string
	second, release chan struct{}
}

func (g *giver) Execute(ctx context.Context, held *run.Held) (bool, error) {
	switch {
	case g.first == "":
		g.first = held.ID()
		for _, next := range []state.State{state.ClonedInputs, state.Ingested, state.FactsReady, state.PlanReady, state.Drafting} {
			if err := held.Advance(ctx, snapshot.Change{New: next}); err != nil {
				return false, err
			}
		}
		return true, nil
	case held.Snapshot().State == state.Created:
		close(g.second)
		<-g.release
		return true, held.Advance(ctx, snapshot.Change{New: state.ClonedInputs})
	}
	return false, held.Pause(ctx, snapshot.StopAt)
}

// 14.4: nobody lingers for a run that was let go of between two stable states: it is
// for whoever takes it next.
func TestLingerForRunLetGo(t *testing.T) {
	g := &giver{walker: &walker{}, second: make(chan struct{}), release: make(chan struct{})}
	l, err := launch.Open(t.Context(), launch.Config{DataDir: t.TempDir(), NetworkAllowlist: []string{"github.com"}, Linger: true, Concurrency: 1, Grace: time.Hour},
		func(operate.Rooms) (operate.Executor, error) { return g, nil })
	if err != nil {
		t.Fatal(err)
	}
	s := (&house{Launcher: l}).open(t)
	s.start("one")
	s.start("two")
	working, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- l.Work(working) }()
	<-g.second
	s.call("cancel_run", `{"run_id":"`+g.first+`"}`) // as another process could
	close(g.release)
	l.Linger(t.Context())
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	var now struct{ State, Activity string }
	s.call("get_run_status", `{"run_id":"`+g.first+`"}`).structured(t, &now)
	if now.State != "CANCELLED" {
		t.Errorf("the run is %+v", now)
	}
	s.hangUp()
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}
