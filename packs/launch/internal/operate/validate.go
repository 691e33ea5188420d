package operate

import (
	"context"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/state"
)

// Validation is what the gates say about a run.
type Validation struct {
	OK           bool                      `json:"ok"`
	RunID        string                    `json:"run_id"`
	Report       artifact.ValidationReport `json:"validation_report"`
	State        state.State               `json:"state"`
	StateChanged bool                      `json:"state_changed"`
}

// Validate has gates judge the worktree of a run: all of them, or some without
// consequences.
func (l *Launcher) Validate(ctx context.Context, by Caller, runID string, gates []string) (Validation, error) {
	answer := Validation{OK: true, RunID: runID}
	err := l.holding(ctx, by, runID, "validate", func(ctx context.Context, held *run.Held) (err error) {
		before := held.Snapshot().State
		answer.Report, err = l.executor.Validate(ctx, held, gates)
		answer.State = held.Snapshot().State
		answer.StateChanged = answer.State != before
		return err
	})
	return answer, err
}
