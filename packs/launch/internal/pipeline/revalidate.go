package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
	"mcpworks/packs/launch/internal/siteprofile"
)

// Validate judges the worktree of a run again, for whoever holds it (3.5). With
// names only these gates run, and nothing is written. From VALIDATING, FIXING and
// READY_FOR_PR the run goes where the verdict leads; a run that has ended, or
// whose pull request is open, is left as it is.
func (p *Pipeline) Validate(ctx context.Context, held *run.Held, names []string) (artifact.ValidationReport, error) {
	j, err := p.job(held)
	if err != nil {
		return artifact.ValidationReport{}, err
	}
	at := held.Snapshot().State
	if _, linked := held.Snapshot().Artifacts[artifact.PatchBundleName]; at.Before(state.Linking) || !linked {
		return artifact.ValidationReport{}, &state.IllegalError{State: at, Reason: "there is nothing to validate yet"}
	}
	for _, name := range names {
		if !slices.Contains(gate.Names(), name) {
			return artifact.ValidationReport{}, &siteprofile.InputError{Code: siteprofile.InvalidInput, Message: fmt.Sprintf("there is no gate %q", name)}
		}
	}
	active := slices.Contains([]state.State{state.Linking, state.Validating, state.Fixing, state.ReadyForPR}, at)
	if len(names) > 0 || !active {
		if err := j.rebuild(ctx); err != nil {
			return artifact.ValidationReport{}, err
		}
		report, err := j.examine(ctx, siteFolder, names, false)
		return j.tellDiscarded(report), err
	}
	if at == state.Linking || at == state.Fixing {
		if err := held.Advance(ctx, snapshot.Change{New: state.Validating, Reason: "validated again"}); err != nil {
			return artifact.ValidationReport{}, err
		}
	}
	report, err := j.judge(ctx, true)
	if err != nil {
		return report, err
	}
	return j.tellDiscarded(report), j.follow(ctx, report)
}

// follow takes a run that was validated by hand to where the verdict leads.
func (j *job) follow(ctx context.Context, report artifact.ValidationReport) error {
	switch at := j.held.Snapshot().State; {
	case report.OK && at == state.Validating:
		return j.held.Advance(ctx, snapshot.Change{New: state.ReadyForPR, Reason: "validated again"})
	case !report.OK && at == state.ReadyForPR:
		return j.held.Return(ctx, state.Validating, cmp.Or(firstCode(report), "validated again"))
	}
	return nil
}

func firstCode(report artifact.ValidationReport) string {
	if len(report.Issues) == 0 {
		return ""
	}
	return report.Issues[0].Code
}
