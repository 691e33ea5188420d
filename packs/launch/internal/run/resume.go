package run

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"time"

	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/flock"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// A Stage is what resuming has to know of one: who writes, whose outputs it
// reads, and from which stable state its work begins.
type Stage struct {
	Worker string
	After  []string
	From   state.State
}

// Resuming says how a run shall go on.
type Resuming struct {
	Until  string // empty: as far as it was to go anyway
	Stages []Stage
	// ForceFrom does all work again that begins in this state or later.
	ForceFrom state.State
	Enqueue   Enqueue
}

// Resumed says what became of it.
type Resumed struct {
	From, To state.State
	Enqueued bool
	Stale    []string // the artifacts that will be made again
}

// A Plan says where to go on from, and what has to be made again.
type Plan struct {
	From, To state.State
	Stale    []snapshot.Staleness
}

// Resume lets a run go on after a stop, a crash or a failure (5.7):
//
//  1. The log is verified by opening it. A run that ended stays ended, one that
//     is being executed or has nothing left to do is left alone.
//  2. The run is held. If its executor has died and his lease still runs, the
//     rest is left to the next executor, who begins when the lease ends (18.9).
//  3. Rewind plans and records where to go on.
//  4. The run is queued, in the log first, then in the queue. A crash between
//     the two is found by Recover.
func (s *Store) Resume(ctx context.Context, runID string, by Holder, how Resuming) (Resumed, error) {
	current, err := s.Status(ctx, runID)
	if err != nil {
		return Resumed{}, err
	}
	stay := Resumed{From: current.State, To: current.State}
	if err := resumable(current); err != nil {
		return stay, err
	}
	if how.idle(current) {
		return stay, nil
	}
	if current.Activity == snapshot.Running {
		if alive, err := s.alive(ctx, runID); err != nil || alive {
			return stay, err
		}
	}
	if err := s.keepReserve(); err != nil {
		return stay, err
	}
	h, err := s.Hold(ctx, runID, by, Place{})
	if locked := (*LockedError)(nil); errors.As(err, &locked) && locked.Dead {
		return s.resumeLater(ctx, runID, how, locked.Until)
	}
	if err != nil {
		return stay, err
	}
	plan, err := h.Rewind(ctx, how.Stages, how.ForceFrom)
	if err == nil {
		err = h.Queue(ctx, snapshot.Order{Until: how.Until})
	}
	if err != nil {
		return stay, errors.Join(err, h.Release(ctx))
	}
	seq := h.log.Head().Seq
	err = h.ReleaseWith(ctx, func(ctx context.Context, tx *sql.Tx) error { return how.Enqueue(ctx, tx, runID, seq, time.Time{}) })
	resumed := Resumed{From: plan.From, To: plan.To, Enqueued: true}
	for _, stale := range plan.Stale {
		resumed.Stale = append(resumed.Stale, stale.Name)
	}
	return resumed, err
}

// resumable refuses runs that have ended for good.
func resumable(s *snapshot.Snapshot) error {
	switch {
	case s.State.Terminal():
		return &state.IllegalError{State: s.State, Reason: "it has ended"}
	case s.CancelRequested:
		return ErrCancelled
	case s.State == state.Failed && (s.Failure == nil || !s.Failure.Resumable):
		return &state.IllegalError{State: s.State, Reason: "its failure cannot be resumed"}
	}
	return nil
}

// idle says that there is nothing to do: the run is where it shall stop, or it
// waits for an executor already (18.10).
func (how Resuming) idle(s *snapshot.Snapshot) bool {
	if how.ForceFrom != "" {
		return false
	}
	waits := s.Activity == snapshot.Queued && (how.Until == "" || how.Until == s.Until)
	return waits || s.State == state.ReadyForPR && how.Until != string(state.Done)
}

// dying is how long a process that was killed may seem to hold a run: one that it
// was just starting has its files for a moment.
const dying = 100 * time.Millisecond

// alive says whether a process of this host holds the run.
func (s *Store) alive(ctx context.Context, runID string) (bool, error) {
	root, err := s.folder(runID)
	if err != nil {
		return false, err
	}
	defer root.Close()
	file, err := root.Open(lockName)
	if err != nil {
		return false, nil // never held
	}
	defer file.Close()
	waiting, cancel := context.WithTimeout(ctx, dying)
	defer cancel()
	err = flock.Lock(waiting, file)
	if err != nil && waiting.Err() != nil {
		return true, ctx.Err()
	}
	return false, err
}

// resumeLater leaves the planning to the next executor. The dead one's fence is
// still the current one.
func (s *Store) resumeLater(ctx context.Context, runID string, how Resuming, notBefore time.Time) (Resumed, error) {
	r, err := s.Open(runID)
	if err != nil {
		return Resumed{}, err
	}
	defer r.Close()
	order := snapshot.Order{Until: how.Until, Rewind: true, ForceFrom: string(how.ForceFrom)}
	err = r.append(ctx, eventlog.CurrentFence, func(*snapshot.Snapshot) ([]eventlog.Draft, error) {
		return []eventlog.Draft{{Type: snapshot.RunQueued, Payload: order}}, nil
	})
	if err != nil {
		return Resumed{}, err
	}
	seq, at := r.log.Head().Seq, r.Snapshot().State
	err = s.index.Update(ctx, func(tx *sql.Tx) error { return how.Enqueue(ctx, tx, runID, seq, notBefore) })
	return Resumed{From: at, To: at, Enqueued: true}, err
}

// Rewind takes a run to where its work can go on, and says what of it has to be
// done again.
func (r *Run) Rewind(ctx context.Context, stages []Stage, forceFrom state.State) (plan Plan, err error) {
	intact := map[string]bool{} // found out before the log is locked; only the holder changes artifacts
	for _, entry := range r.Snapshot().Artifacts {
		intact[entry.EventID] = r.intact(entry)
	}
	err = r.append(ctx, r.fence, func(s *snapshot.Snapshot) ([]eventlog.Draft, error) {
		if err := resumable(s); err != nil {
			return nil, err
		}
		plan = planFor(s, stages, forceFrom, func(entry snapshot.Artifact) bool { return intact[entry.EventID] })
		return plan.drafts(s, forceFrom)
	})
	return plan, err
}

// planFor is steps 3, 4 and 8 of 5.7. It changes nothing.
func planFor(s *snapshot.Snapshot, stages []Stage, forceFrom state.State, intact func(snapshot.Artifact) bool) Plan {
	plan := Plan{From: s.State, To: s.State.Rewound()}
	if s.State == state.Failed {
		plan.To = s.StableState
	}
	if s.State == state.PROpened {
		return plan // what is published is not made again
	}
	redo := map[string]string{} // worker to reason
	for _, name := range slices.Sorted(maps.Keys(s.Artifacts)) {
		if entry := s.Artifacts[name]; entry.Stale {
			redo[entry.Writer] = name + " was stale"
		} else if !intact(entry) {
			redo[entry.Writer] = name + " is missing or was changed"
			plan.Stale = append(plan.Stale, snapshot.Staleness{Name: name, Reason: "it is missing or was changed"})
		}
	}
	for _, stage := range stages { // they stand in order
		if forceFrom != "" && !stage.From.Before(forceFrom) {
			redo[stage.Worker] = "force_from " + string(forceFrom)
		}
		for _, before := range stage.After {
			if reason, ok := redo[before]; ok && redo[stage.Worker] == "" {
				redo[stage.Worker] = reason
			}
		}
		if redo[stage.Worker] != "" && stage.From.Before(plan.To) {
			plan.To = stage.From
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Artifacts)) {
		entry := s.Artifacts[name]
		reason, again := redo[entry.Writer]
		if again && !entry.Stale && !slices.ContainsFunc(plan.Stale, func(p snapshot.Staleness) bool { return p.Name == name }) {
			plan.Stale = append(plan.Stale, snapshot.Staleness{Name: name, Reason: reason})
		}
	}
	if forceFrom != "" && forceFrom.Before(plan.To) {
		plan.To = forceFrom
	}
	return plan
}

// drafts are the events of a plan.
func (p Plan) drafts(s *snapshot.Snapshot, forceFrom state.State) ([]eventlog.Draft, error) {
	drafts := []eventlog.Draft{{Type: snapshot.RunResumed, Payload: snapshot.Resuming{From: p.From, To: p.To}}}
	for _, stale := range p.Stale {
		drafts = append(drafts, eventlog.Draft{Type: snapshot.ArtifactStale, Payload: stale})
	}
	if p.From == p.To {
		return drafts, nil
	}
	if !state.CanReturn(p.From, p.To, s.StableState) {
		return nil, &state.IllegalError{State: p.From, Wanted: p.To}
	}
	reason := "resume"
	if forceFrom != "" {
		reason = "force_from"
	}
	return append(drafts,
		eventlog.Draft{Type: snapshot.ResumeRewind, Payload: snapshot.Resuming{Reason: reason, From: p.From, To: p.To}},
		eventlog.Draft{Type: snapshot.RunStateChanged, Payload: snapshot.Change{Old: p.From, New: p.To, Reason: reason}}), nil
}

// Start is what an executor does first: it plans the resume that was asked for,
// or that became necessary because the executor before it has died, and says
// that the run is running.
func (h *Held) Start(ctx context.Context, stages []Stage) error {
	s := h.Snapshot()
	if s.Rewind || s.Activity == snapshot.Running {
		if _, err := h.Rewind(ctx, stages, state.State(s.ForceFrom)); err != nil {
			return err
		}
	}
	return h.append(ctx, h.fence, func(*snapshot.Snapshot) ([]eventlog.Draft, error) {
		return []eventlog.Draft{{Type: snapshot.RunStarted}}, nil
	})
}
