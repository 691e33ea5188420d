package run

import (
	"context"
	"errors"
	"time"

	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// Cancellation says what became of a request to cancel.
type Cancellation struct {
	Already   bool // it was cancelled before
	Published bool // its pull request stays open
	// Continues: the stage has not stopped in time. The run still ends
	// CANCELLED when it does.
	Continues bool
}

// Cancel ends a run (5.8). The request is in the log at once, whoever holds the
// run: nothing but its end can follow it. The holder, if there is one, sees it
// within a second or with his next event, and ends the run; else it is ended
// here.
func (s *Store) Cancel(ctx context.Context, runID string, by Holder, reason string) (result Cancellation, err error) {
	r, err := s.Open(runID)
	if err != nil {
		return result, err
	}
	defer r.Close()
	err = r.append(ctx, eventlog.CurrentFence, func(now *snapshot.Snapshot) ([]eventlog.Draft, error) {
		result.Already = now.State == state.Cancelled
		result.Published = now.PR != nil && now.PR.URL != ""
		if result.Already || now.CancelRequested {
			return nil, nil
		}
		if now.State == state.Done || now.State == state.Failed {
			return nil, &state.IllegalError{State: now.State, Reason: "it has ended, and does not go on by itself"}
		}
		return []eventlog.Draft{{Type: snapshot.RunCancelRequested, Payload: snapshot.Resuming{Reason: reason, From: now.State}}}, nil
	})
	if err != nil || result.Already {
		return result, err
	}
	deadline := time.NewTimer(s.options.CancelGrace)
	defer deadline.Stop()
	for {
		ended, err := s.endCancelled(ctx, r, by)
		if err != nil || ended {
			return result, err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-deadline.C:
			result.Continues = true
			return result, nil
		case <-ctx.Done():
			return result, context.Cause(ctx)
		}
	}
}

// endCancelled ends the run if nobody holds it, and sees whether it has ended.
func (s *Store) endCancelled(ctx context.Context, r *Run, by Holder) (bool, error) {
	if err := r.Refresh(); err != nil {
		return false, err
	}
	if r.Snapshot().State == state.Cancelled {
		return true, nil
	}
	h, err := s.TryHold(ctx, r.id, by, Place{})
	if err == nil {
		return true, errors.Join(h.EndCancelled(ctx), h.Release(ctx))
	}
	locked := (*LockedError)(nil)
	if !errors.As(err, &locked) {
		return false, err
	}
	if locked.Dead { // the log lets nobody write behind the end, so his fence does no harm
		return true, r.endCancelled(ctx, eventlog.CurrentFence)
	}
	return false, nil
}

// EndCancelled ends a run whose cancelling was asked for. Its holder calls it
// when the work has stopped.
func (r *Run) EndCancelled(ctx context.Context) error { return r.endCancelled(ctx, r.fence) }

func (r *Run) endCancelled(ctx context.Context, fence int64) error {
	if err := r.removeTemporary(ctx); err != nil {
		return err
	}
	return r.append(context.WithoutCancel(ctx), fence, func(s *snapshot.Snapshot) ([]eventlog.Draft, error) {
		if s.State == state.Cancelled {
			return nil, nil
		}
		if !s.CancelRequested || !state.CanAdvance(s.State, state.Cancelled) {
			return nil, &state.IllegalError{State: s.State, Wanted: state.Cancelled}
		}
		change := snapshot.Change{Old: s.State, New: state.Cancelled, Reason: "cancelled"}
		return []eventlog.Draft{{Type: snapshot.RunStateChanged, Payload: change}}, nil
	})
}
