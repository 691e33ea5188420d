package run_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/index"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

func note(text string) eventlog.Draft {
	return eventlog.Draft{Type: "NOTE", Payload: map[string]any{"text": text}}
}

// S-29: while one call holds a run, another waits and is then told who has it,
// from the same process or another; runs do not share locks.
func TestOneHolderAtATime(t *testing.T) {
	folder := t.TempDir()
	first, second := openStore(t, folder, run.Options{}), openStore(t, folder, run.Options{})
	id, other := create(t, first), create(t, first)
	held, err := first.Hold(t.Context(), id, run.Holder{Connection: "a", Request: "1", Operation: "validate_run"}, run.Place{})
	if err != nil {
		t.Fatal(err)
	}
	for name, store := range map[string]*run.Store{"same process": first, "other process": second} {
		_, err := store.Hold(t.Context(), id, run.Holder{Connection: "b", Request: "1", Operation: "fix"}, run.Place{})
		if locked := (*run.LockedError)(nil); !errors.As(err, &locked) || locked.Operation != "validate_run" || locked.Dead {
			t.Errorf("%s: %v", name, err)
		}
		apart, err := store.Hold(t.Context(), other, tester, run.Place{})
		if err != nil {
			t.Fatal(err)
		}
		release(t, apart)
	}
	release(t, held)
	release(t, held) // does nothing
	hold(t, second, id)
}

// S-29: the events of holders never interleave.
func TestHoldersDoNotInterleave(t *testing.T) {
	folder := t.TempDir()
	stores := []*run.Store{openStore(t, folder, run.Options{LockWait: time.Minute}), openStore(t, folder, run.Options{LockWait: time.Minute})}
	id := create(t, stores[0])
	var calls sync.WaitGroup
	for i := range 8 {
		calls.Go(func() {
			by := run.Holder{Connection: "c", Request: string(rune('a' + i)), Operation: "test"}
			held, err := stores[i%2].Hold(context.Background(), id, by, run.Place{})
			if err != nil {
				t.Error(err)
				return
			}
			for range 3 {
				if err := held.Append(context.Background(), note(by.Request)); err != nil {
					t.Error(err)
				}
			}
			if err := held.Release(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	calls.Wait()
	var notes []string
	var fences []int64
	err := stores[0].Events(id, func(e eventlog.Event) {
		if e.Type == "NOTE" {
			notes, fences = append(notes, string(e.Payload)), append(fences, e.Fence)
		}
	})
	if err != nil || len(notes) != 24 {
		t.Fatalf("%d notes, %v", len(notes), err)
	}
	for i := range notes {
		if group := i / 3 * 3; notes[i] != notes[group] || fences[i] != fences[group] || fences[i] != int64(group/3+1) {
			t.Errorf("note %d: %s with fence %d", i, notes[i], fences[i])
		}
	}
}

// 5.6: a call that is cancelled, as by its connection, ends its wait.
func TestCancelledCallStopsWaiting(t *testing.T) {
	store := openStore(t, t.TempDir(), run.Options{LockWait: time.Minute})
	id := create(t, store)
	held := hold(t, store, id)
	ctx, cancel := context.WithCancel(t.Context())
	waited := make(chan error)
	go func() {
		_, err := store.Hold(ctx, id, run.Holder{Connection: "b", Operation: "y"}, run.Place{})
		waited <- err
	}()
	cancel()
	if err := <-waited; !errors.Is(err, context.Canceled) {
		t.Errorf("the wait ended with %v", err)
	}
	release(t, held)
	release(t, hold(t, store, id))
}

// a process that stood still until its lease ended cannot write any more,
// and finds out.
func TestStalledHolderIsFenced(t *testing.T) {
	now := newClock()
	folder := t.TempDir()
	store := openStore(t, folder, run.Options{Clock: now.Now, RenewEvery: time.Millisecond, WatchEvery: time.Hour})
	id := create(t, store)
	stalled := hold(t, store, id)
	now.Move(31 * time.Second)
	// Another host: it does not see the file lock.
	lease, err := store.Index().Acquire(t.Context(), index.Lease{RunID: id, Owner: "elsewhere", Expires: now.Now().Add(time.Minute)}, 0, 0, now.Now())
	if err != nil || lease.Fence != 2 {
		t.Fatalf("takeover: %+v, %v", lease, err)
	}
	guarded, stop := stalled.Guard(t.Context())
	<-guarded.Done()
	stop()
	if cause := context.Cause(guarded); !errors.Is(cause, run.ErrLeaseLost) {
		t.Errorf("cause %v", cause)
	}
	appendElsewhere(t, folder, id, lease.Fence)
	if err := stalled.Append(t.Context(), note("late")); !errors.Is(err, eventlog.ErrFenced) {
		t.Errorf("append: %v", err)
	}
	if _, err := stalled.WriteArtifact(t.Context(), "page_plan.json", "", "W4", nil); !errors.Is(err, eventlog.ErrFenced) {
		t.Errorf("write: %v", err)
	}
	if _, err := stalled.Root().Stat("artifacts/page_plan.json"); err == nil {
		t.Error("the file was written")
	}
	release(t, stalled)
	if _, leased, err := store.Index().Leased(t.Context(), id, now.Now()); !leased || err != nil {
		t.Errorf("the new lease went with the old one: %v", err)
	}
}

// A lease that is renewed outlives its time.
func TestGuardRenews(t *testing.T) {
	now := newClock()
	store := openStore(t, t.TempDir(), run.Options{Clock: now.Now, RenewEvery: time.Millisecond})
	id := create(t, store)
	held := hold(t, store, id)
	_, stop := held.Guard(t.Context())
	defer stop()
	for range 3 {
		now.Move(20 * time.Second)
		for renewed := false; !renewed; {
			lease, _, err := store.Index().Leased(t.Context(), id, now.Now())
			if err != nil {
				t.Fatal(err)
			}
			renewed = lease.Expires.Equal(now.Now().Add(30 * time.Second))
		}
	}
}

func TestPlacesOfAProfile(t *testing.T) {
	store := openStore(t, t.TempDir(), run.Options{})
	place := run.Place{Profile: "default", Limit: 2}
	var held []*run.Held
	for range 2 {
		h, err := store.TryHold(t.Context(), create(t, store), tester, place)
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, h)
	}
	id := create(t, store)
	if _, err := store.TryHold(t.Context(), id, tester, place); !errors.Is(err, index.ErrProfileFull) {
		t.Errorf("a third place: %v", err)
	}
	free, err := store.TryHold(t.Context(), id, tester, run.Place{Profile: "other", Limit: 2})
	if err != nil {
		t.Fatal(err)
	}
	release(t, free)
	release(t, held[0])
	third, err := store.TryHold(t.Context(), id, tester, place)
	if err != nil {
		t.Fatal(err)
	}
	release(t, third)
	release(t, held[1])
}

// S-11, 5.8: cancelling a run that nobody holds ends it, and nothing follows.
func TestCancel(t *testing.T) {
	store := openStore(t, t.TempDir(), run.Options{})
	id := create(t, store)
	for _, already := range []bool{false, true} {
		result, err := store.Cancel(t.Context(), id, tester, "no longer wanted")
		if err != nil || result != (run.Cancellation{Already: already}) {
			t.Errorf("cancel: %+v, %v", result, err)
		}
	}
	s := status(t, store, id)
	if s.State != state.Cancelled || s.Activity != snapshot.Finished {
		t.Errorf("%s, %s", s.State, s.Activity)
	}
	held := hold(t, store, id)
	if err := held.Append(t.Context(), note("after the end")); !errors.Is(err, run.ErrCancelled) {
		t.Errorf("append: %v", err)
	}
	release(t, held)

	done := create(t, store)
	held = hold(t, store, done)
	walk(t, held, state.Done)
	release(t, held)
	if _, err := store.Cancel(t.Context(), done, tester, ""); !errors.As(err, new(*state.IllegalError)) {
		t.Errorf("cancel a run that is done: %v", err)
	}
}

// 5.8: the holder, in another process, sees the request, stops and ends the run.
func TestCancelReachesTheHolder(t *testing.T) {
	folder := t.TempDir()
	options := run.Options{WatchEvery: time.Millisecond}
	worker, caller := openStore(t, folder, options), openStore(t, folder, options)
	id := create(t, worker)
	held := hold(t, worker, id)
	guarded, stop := held.Guard(t.Context())
	stopped := make(chan error)
	go func() {
		<-guarded.Done()
		stop()
		err := held.Append(context.Background(), note("stage"))
		if errors.Is(err, run.ErrCancelled) && errors.Is(context.Cause(guarded), run.ErrCancelled) {
			err = held.EndCancelled(context.Background())
		}
		stopped <- errors.Join(err, held.Release(context.Background()))
	}()
	result, err := caller.Cancel(t.Context(), id, tester, "")
	if err != nil || result.Continues {
		t.Errorf("cancel: %+v, %v", result, err)
	}
	if err := <-stopped; err != nil {
		t.Errorf("holder: %v", err)
	}
	if s := status(t, caller, id); s.State != state.Cancelled {
		t.Errorf("state %s", s.State)
	}
}

// 5.8: a stage that does not stop is not waited for, and still ends cancelled.
func TestCancelDoesNotWaitForever(t *testing.T) {
	store := openStore(t, t.TempDir(), run.Options{CancelGrace: time.Millisecond})
	id := create(t, store)
	held := hold(t, store, id)
	if err := held.Start(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	result, err := store.Cancel(t.Context(), id, tester, "")
	if err != nil || !result.Continues {
		t.Errorf("cancel: %+v, %v", result, err)
	}
	release(t, held) // without a word
	changed, err := store.Recover(t.Context(), tester, false, noQueue)
	if err != nil || len(changed) != 1 || status(t, store, id).State != state.Cancelled {
		t.Errorf("recover: %v, %v, %s", changed, err, status(t, store, id).State)
	}
}
