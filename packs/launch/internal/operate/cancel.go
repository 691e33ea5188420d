package operate

import (
	"context"

	"mcpworks/packs/launch/internal/run/state"
)

// Cancellation says that a run has ended.
type Cancellation struct {
	OK        bool        `json:"ok"`
	RunID     string      `json:"run_id"`
	Cancelled bool        `json:"cancelled"`
	State     state.State `json:"state"`
	Already   bool        `json:"already,omitempty"`
	// PRStaysOpen: what was published is not taken back (5.8).
	PRStaysOpen bool `json:"pr_stays_open,omitempty"`
}

// A SlowStopError says that a run which was cancelled has not stopped yet. It
// will.
type SlowStopError struct{ RunID string }

func (e *SlowStopError) Error() string { return "the stage at work has not stopped yet" }

// Cancel ends a run, whoever executes it.
func (l *Launcher) Cancel(ctx context.Context, by Caller, runID, reason string) (Cancellation, error) {
	result, err := l.store.Cancel(ctx, runID, by.holder("cancel"), reason)
	if err != nil {
		return Cancellation{}, err
	}
	if err := l.queue.Drop(ctx, runID); err != nil {
		l.options.Logger.Warn("the job of a cancelled run stays in the queue, where it does no harm", "run_id", runID, "error", err)
	}
	l.note(runID)
	if result.Continues {
		return Cancellation{}, &SlowStopError{runID}
	}
	return Cancellation{OK: true, RunID: runID, Cancelled: true, State: state.Cancelled, Already: result.Already, PRStaysOpen: result.Published}, nil
}
