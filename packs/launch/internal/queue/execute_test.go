package queue_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/queue"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// 18.9: who asks for one run executes that one alone; others wait as before.
func TestExecuteOne(t *testing.T) {
	store := openStore(t, t.TempDir(), run.Options{})
	q := newQueue(t, store, advance, queue.Options{})
	other, one := create(t, store, q, "default", ""), create(t, store, q, "default", "")
	if err := q.Execute(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	if s := status(t, store, one); s.State != state.FactsReady || s.Activity != snapshot.Paused {
		t.Errorf("the run is %s, %s", s.State, s.Activity)
	}
	if s := status(t, store, other); s.State != state.Created || s.Activity != snapshot.Queued {
		t.Errorf("the other run is %s, %s", s.State, s.Activity)
	}
	if depth, err := q.Depth(t.Context()); err != nil || depth != 1 {
		t.Errorf("%d runs wait: %v", depth, err)
	}
	if err := q.Execute(t.Context(), one); err != nil {
		t.Errorf("a run that rests: %v", err)
	}
}

// 5.7: a run whose execution somebody has stopped waits to be resumed, and no
// other process goes on with it by itself.
func TestExecuteStopped(t *testing.T) {
	store := openStore(t, t.TempDir(), run.Options{})
	ctx, stop := context.WithCancel(t.Context())
	q := newQueue(t, store, func(ctx context.Context, held *run.Held) (bool, error) {
		stop()
		<-ctx.Done()
		return false, context.Cause(ctx)
	}, queue.Options{Requeue: true})
	id := create(t, store, q, "default", "")
	if err := q.Execute(ctx, id); err != nil {
		t.Fatal(err)
	}
	if s := status(t, store, id); s.Activity != snapshot.Paused || s.PauseReason != snapshot.Interrupted {
		t.Errorf("the run is %s, %s", s.Activity, s.PauseReason)
	}
	if depth, err := q.Depth(t.Context()); err != nil || depth != 0 {
		t.Errorf("%d runs wait: %v", depth, err)
	}
}

// 14.8: of what River says only errors are passed on, in other words, and not
// over and over.
func TestRiverIsQuiet(t *testing.T) {
	var told bytes.Buffer
	now := time.Unix(0, 0)
	log := queue.QuietLogger(slog.New(slog.NewJSONHandler(&told, nil)), func() time.Time { return now })
	log.Info("Driver does not support listener")
	log.Warn("Hard stop started")
	for range 5 {
		log.With("client", "x").Error("producer: Error fetching jobs", "err", "insert: database or disk is full (13)")
	}
	log.Error("producer: Error fetching jobs", "err", "something else")
	now = now.Add(time.Hour)
	log.Error("elector: Error attempting reelection", "err", "write: no space left on device")
	if got := told.String(); strings.Count(got, "\n") != 3 || strings.Count(got, "the disk of the data directory is full") != 2 || !strings.Contains(got, "something else") {
		t.Errorf("it was told:\n%s", got)
	}
}
