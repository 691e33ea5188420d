package operate

import (
	"context"

	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/state"
)

// Resumption says from where a run goes on.
type Resumption struct {
	OK          bool        `json:"ok"`
	RunID       string      `json:"run_id"`
	State       state.State `json:"state"`
	ResumedFrom state.State `json:"resumed_from"`
	RewoundTo   state.State `json:"rewound_to"`
	Enqueued    bool        `json:"enqueued"`
	Status      RunStatus   `json:"status"`
}

// Resume lets a run go on until a state, or as far as it was to go, from the
// state it can go on from or an earlier one (5.7). It returns when the work is
// queued.
func (l *Launcher) Resume(ctx context.Context, by Caller, runID, until, forceFrom string) (Resumption, error) {
	if err := l.executable(); err != nil {
		return Resumption{}, err
	}
	if err := l.mayResume(ctx, runID, state.State(forceFrom)); err != nil {
		return Resumption{}, err
	}
	resumed, err := l.store.Resume(ctx, runID, by.holder("resume"), run.Resuming{
		Until: until, Stages: l.stages, ForceFrom: state.State(forceFrom), Enqueue: l.queue.Again,
	})
	if err != nil {
		return Resumption{}, err
	}
	status, err := l.status(ctx, runID)
	return Resumption{
		OK: true, RunID: runID, State: status.State, ResumedFrom: resumed.From, RewoundTo: resumed.To, Enqueued: resumed.Enqueued, Status: status,
	}, err
}
