package run

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"mcpworks/packs/launch/internal/run/durable"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/index"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// Appending an event, from here to the disk:
//
//   - decide sees the run as the log has it, with all that other processes have
//     appended, and says which events shall follow;
//   - admit refuses them if the run has ended or is being cancelled;
//   - the log refuses them if the lease has been taken over, else writes them;
//   - the snapshot is written, while no other can append;
//   - the index row is written if the run looks different in a list.
//
// Once the log has the events they have happened: if the snapshot or the row
// cannot be written, that is logged, and made good by the next append or the
// next recovery.
func (r *Run) append(ctx context.Context, fence int64, decide func(*snapshot.Snapshot) ([]eventlog.Draft, error)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.store.withReserve(func() error {
		return r.log.Append(fence, func() ([]eventlog.Draft, error) {
			drafts, err := decide(r.snapshot)
			if err != nil {
				return nil, err
			}
			for i := range drafts {
				drafts[i].Audit = !snapshot.Reduces(drafts[i].Type)
			}
			return drafts, admit(r.snapshot, drafts)
		}, r.writeSnapshot)
	})
	r.writeRow(ctx)
	return err
}

// admit says whether the run may still have such events. Nothing follows
// CANCELLED (S-11); after DONE there may be audit events.
func admit(s *snapshot.Snapshot, drafts []eventlog.Draft) error {
	changes := slices.ContainsFunc(drafts, func(d eventlog.Draft) bool { return !d.Audit })
	cancels := slices.ContainsFunc(drafts, func(d eventlog.Draft) bool {
		change, ok := d.Payload.(snapshot.Change)
		return d.Type == snapshot.RunCancelRequested || ok && change.New == state.Cancelled
	})
	switch {
	case len(drafts) == 0:
		return nil
	case s.State == state.Cancelled:
		return ErrCancelled
	case s.State == state.Done && changes:
		return &state.IllegalError{State: s.State, Reason: "it has ended"}
	case s.CancelRequested && !cancels:
		return ErrCancelled
	}
	return nil
}

// writeSnapshot is called while the append lock is held.
func (r *Run) writeSnapshot() {
	if !r.unsaved {
		return
	}
	text, err := r.snapshot.Encode()
	if err == nil {
		_, err = durable.Write(r.root, snapshot.FileName, text)
	}
	if err != nil {
		r.store.options.Logger.Warn("a snapshot could not be written", "run_id", r.id, "error", err)
		return
	}
	r.unsaved = false
}

// writeRow brings the index after the log. A call that is being cancelled does
// it too.
func (r *Run) writeRow(ctx context.Context) {
	row := index.RowOf(r.snapshot)
	if r.indexed.State == row.State && r.indexed.Activity == row.Activity {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	err := r.store.withReserve(func() error {
		return r.store.index.Update(ctx, func(tx *sql.Tx) error { return index.Put(ctx, tx, row) })
	})
	if err != nil {
		r.store.options.Logger.Warn("an index row could not be written", "run_id", r.id, "error", err)
		return
	}
	r.indexed = row
}

// reserved are the types that have a method of their own, which checks more.
var reserved = []string{
	snapshot.RunCreated, snapshot.RunStateChanged, snapshot.SectionChanged, snapshot.ArtifactWritten, snapshot.RunCancelRequested,
	snapshot.RunQueued, snapshot.RunStarted, snapshot.RunResumed, snapshot.RunInterrupted, snapshot.RunFailed, eventlog.Recovered,
}

// Append adds events in one piece. It returns ErrCancelled when the run is being
// cancelled: then the work has to stop.
func (r *Run) Append(ctx context.Context, drafts ...eventlog.Draft) error {
	for _, draft := range drafts {
		if slices.Contains(reserved, draft.Type) {
			return fmt.Errorf("%s cannot be appended like that", draft.Type)
		}
	}
	return r.append(ctx, r.fence, func(*snapshot.Snapshot) ([]eventlog.Draft, error) { return drafts, nil })
}

// Advance takes the run forward by its own work. Old is filled in.
func (r *Run) Advance(ctx context.Context, change snapshot.Change) error {
	return r.change(ctx, change, func(s *snapshot.Snapshot) bool { return state.CanAdvance(s.State, change.New) })
}

// Return takes the run back, for re-validation or to do work again; it needs a
// reason.
func (r *Run) Return(ctx context.Context, to state.State, reason string) error {
	change := snapshot.Change{New: to, Reason: reason}
	return r.change(ctx, change, func(s *snapshot.Snapshot) bool { return state.CanReturn(s.State, to, s.StableState) })
}

// change records the transition, or that it was refused.
func (r *Run) change(ctx context.Context, change snapshot.Change, allowed func(*snapshot.Snapshot) bool) error {
	var refused error
	err := r.append(ctx, r.fence, func(s *snapshot.Snapshot) ([]eventlog.Draft, error) {
		change.Old = s.State
		if !allowed(s) {
			refused = &state.IllegalError{State: s.State, Wanted: change.New}
			return []eventlog.Draft{{Type: snapshot.InvalidTransition, Payload: change}}, nil
		}
		drafts := []eventlog.Draft{{Type: snapshot.RunStateChanged, Payload: change}}
		if change.New == state.Done {
			drafts = append(drafts, eventlog.Draft{Type: snapshot.RunCompleted})
		}
		return drafts, nil
	})
	if refused != nil {
		return refused
	}
	return err
}

// SetSection changes the state of a section; the one it has is no change.
func (r *Run) SetSection(ctx context.Context, section string, to state.Section) error {
	return r.append(ctx, r.fence, func(s *snapshot.Snapshot) ([]eventlog.Draft, error) {
		from, ok := s.Sections[section]
		if from == to {
			return nil, nil
		}
		if ok && !state.CanChange(from, to, s.BlockedFrom[section]) {
			return nil, fmt.Errorf("the section %s cannot go from %s to %s", section, from, to)
		}
		change := snapshot.SectionChange{Section: section, Old: from, New: to}
		return []eventlog.Draft{{Type: snapshot.SectionChanged, Payload: change}}, nil
	})
}

// Fail ends the run badly.
func (r *Run) Fail(ctx context.Context, failure snapshot.Failure) error {
	return r.append(ctx, r.fence, func(s *snapshot.Snapshot) ([]eventlog.Draft, error) {
		if !state.CanAdvance(s.State, state.Failed) {
			return nil, &state.IllegalError{State: s.State, Wanted: state.Failed}
		}
		return []eventlog.Draft{
			{Type: snapshot.RunFailed, Payload: failure},
			{Type: snapshot.RunStateChanged, Payload: snapshot.Change{Old: s.State, New: state.Failed, Reason: failure.ErrorCode}},
		}, nil
	})
}

// Pause says that nothing is queued, and why.
func (r *Run) Pause(ctx context.Context, reason string) error {
	return r.Append(ctx, eventlog.Draft{Type: snapshot.RunPaused, Payload: snapshot.Pause{Reason: reason}})
}

// Queue says that the run waits for an executor.
func (r *Run) Queue(ctx context.Context, order snapshot.Order) error {
	return r.append(ctx, r.fence, func(*snapshot.Snapshot) ([]eventlog.Draft, error) {
		return []eventlog.Draft{{Type: snapshot.RunQueued, Payload: order}}, nil
	})
}
