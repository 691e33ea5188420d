package run

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
)

// Recover looks after the runs that nobody looks after: those whose executor has
// died become interrupted, and with requeue they are queued again; those that
// were to be cancelled end; those that wait get a job if theirs was lost. It is
// called when a process starts and now and then (5.7, 15.2). It returns the runs
// that had lost their executor. What goes wrong with one run is logged, and
// keeps no other from being looked after.
func (s *Store) Recover(ctx context.Context, by Holder, requeue bool, enqueue Enqueue) (orphans []string, err error) {
	if err := s.keepReserve(); err != nil { // then nobody can be helped now
		s.options.Logger.Warn("no room could be reserved", "error", err)
		return nil, nil
	}
	running, err := s.index.With(ctx, snapshot.Running)
	if err != nil {
		return nil, err
	}
	for _, id := range running {
		if ctx.Err() != nil {
			return orphans, context.Cause(ctx)
		}
		orphan, err := s.recover(ctx, id, by, requeue, enqueue)
		if orphan {
			orphans = append(orphans, id)
		}
		if err != nil {
			s.options.Logger.Warn("a run could not be recovered", "run_id", id, "error", err)
		}
	}
	queued, err := s.index.With(ctx, snapshot.Queued)
	if err != nil || len(queued) == 0 {
		return orphans, err
	}
	return orphans, s.index.Update(ctx, func(tx *sql.Tx) error {
		for _, id := range queued {
			if err := enqueue(ctx, tx, id, 0, time.Time{}); err != nil {
				return err
			}
		}
		return nil
	})
}

// recover looks after one run that the index believes to be running.
func (s *Store) recover(ctx context.Context, runID string, by Holder, requeue bool, enqueue Enqueue) (orphan bool, err error) {
	if _, leased, err := s.index.Leased(ctx, runID, s.options.Clock()); err != nil || leased {
		return false, err
	}
	h, err := s.TryHold(ctx, runID, by, Place{})
	if locked := (*LockedError)(nil); errors.As(err, &locked) {
		return false, nil // somebody has come to it
	}
	if err != nil {
		return false, err
	}
	switch current := h.Snapshot(); {
	case current.Activity != snapshot.Running: // the row was late
		return false, h.Release(ctx)
	case current.CancelRequested:
		return true, errors.Join(h.EndCancelled(ctx), h.Release(ctx))
	}
	return true, h.Interrupt(ctx, requeue, enqueue)
}

// Interrupt says that the work on a run has stopped before its end, and lets go
// of it. With requeue, whoever comes next goes on.
func (h *Held) Interrupt(ctx context.Context, requeue bool, enqueue Enqueue) error {
	err := h.append(ctx, h.fence, func(s *snapshot.Snapshot) ([]eventlog.Draft, error) {
		drafts := []eventlog.Draft{{Type: snapshot.RunInterrupted, Payload: snapshot.Resuming{Reason: "its executor has stopped", From: s.State}}}
		if requeue {
			order := snapshot.Order{Until: s.Until, Rewind: true, ForceFrom: s.ForceFrom}
			drafts = append(drafts, eventlog.Draft{Type: snapshot.RunQueued, Payload: order})
		}
		return drafts, nil
	})
	if err != nil || !requeue {
		return errors.Join(err, h.Release(ctx))
	}
	seq := h.log.Head().Seq
	return h.ReleaseWith(ctx, func(ctx context.Context, tx *sql.Tx) error { return enqueue(ctx, tx, h.id, seq, time.Time{}) })
}
