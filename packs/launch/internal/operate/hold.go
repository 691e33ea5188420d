package operate

import (
	"context"
	"errors"
	"fmt"

	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// A BusyError says that a run is being executed, or about to be.
type BusyError struct {
	State    state.State
	Activity snapshot.Activity
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("the run is %s: it has to pause first", e.Activity)
}

// holding does something to a run that nobody executes, while nobody else can.
// The work gets a context that ends when the run is cancelled; then it is ended
// here, as its holder has to (5.6, 5.8).
func (l *Launcher) holding(ctx context.Context, by Caller, runID, operation string, work func(context.Context, *run.Held) error) (err error) {
	if err := l.executable(); err != nil {
		return err
	}
	if l.executor == nil {
		return errors.New("this process does not work on runs")
	}
	current, err := l.store.Status(ctx, runID)
	if err != nil {
		return err
	}
	if err := busy(current); err != nil {
		return err
	}
	held, err := l.holdAtRest(ctx, by, runID, operation)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, held.Release(ctx))
		l.note(runID)
	}()
	guarded, stop := held.Guard(ctx)
	err = work(guarded, held)
	cause := context.Cause(guarded)
	stop()
	if errors.Is(err, run.ErrCancelled) || errors.Is(cause, run.ErrCancelled) {
		return errors.Join(run.ErrCancelled, held.EndCancelled(context.WithoutCancel(ctx)))
	}
	return err
}

// holdAtRest gets a run, unless it was queued while this has waited for it.
func (l *Launcher) holdAtRest(ctx context.Context, by Caller, runID, operation string) (*run.Held, error) {
	held, err := l.store.Hold(ctx, runID, by.holder(operation), run.Place{})
	if err != nil {
		return nil, err
	}
	if err := busy(held.Snapshot()); err != nil {
		return nil, errors.Join(err, held.Release(ctx))
	}
	return held, nil
}

// busy is the error of a run that is at work, or about to be.
func busy(s *snapshot.Snapshot) error {
	if s.Activity == snapshot.Running || s.Activity == snapshot.Queued {
		return &BusyError{s.State, s.Activity}
	}
	return nil
}
