package pipeline

import (
	"context"
	"errors"
	"strconv"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// validate runs the gates and decides what becomes of the run (W7, C-7).
func (j *job) validate(ctx context.Context) error {
	report, err := j.judge(ctx, false)
	switch {
	case err != nil:
		return err
	case report.OK:
		return j.held.Advance(ctx, snapshot.Change{New: state.ReadyForPR})
	case j.config.FixMode == "manual":
		return j.held.Pause(ctx, snapshot.FixManual)
	}
	return j.held.Advance(ctx, snapshot.Change{New: state.Fixing})
}

// judge writes the validation report of the worktree as it is. Unless it is
// asked for anew, a report on the same documents stands.
func (j *job) judge(ctx context.Context, anew bool) (report artifact.ValidationReport, err error) {
	if err := j.prepare(ctx); err != nil {
		return report, err
	}
	s := j.held.Snapshot()
	reads, err := j.reading(j.documentNames(s)...)
	if err != nil {
		return report, err
	}
	if anew || j.config.AllowManualEdits { // an edit behind the fence is in no document
		reads["log"] = strconv.FormatInt(s.LastSeq, 10)
	}
	err = j.perform(ctx, task{gateWorker, "", reads, func(ctx context.Context) ([]string, error) {
		report, err := j.examine(ctx, siteFolder, nil, true)
		if err != nil {
			return nil, err
		}
		if err := errors.Join(j.report(ctx, gate.Names(), report.Issues), j.logGates(&report)); err != nil {
			return nil, err
		}
		return j.keep(ctx, gateWorker, map[string]any{artifact.ValidationReportName: report})
	}})
	if err != nil {
		return report, err
	}
	var plan artifact.PagePlan
	if err := j.load(map[string]any{artifact.ValidationReportName: &report, artifact.PagePlanName: &plan}); err != nil {
		return report, err
	}
	return report, j.settleSections(ctx, plan, report)
}

// prepare makes the worktree what the bundle says, or the bundle what people have
// made of the worktree.
func (j *job) prepare(ctx context.Context) error {
	if err := j.rebuild(ctx); err != nil {
		if errors.Is(err, errOtherTree) {
			return &Fault{Code: "ORCHESTRATOR_WORKTREE_MISMATCH", Stage: gateWorker, Message: err.Error(), Resumable: true, Err: err}
		}
		return err
	}
	return j.adopt(ctx)
}

// examine runs gates on a folder with the site; no names mean all of a
// validation. Told says whether each gate has its events.
func (j *job) examine(ctx context.Context, folder string, names []string, told bool) (artifact.ValidationReport, error) {
	view, closeView, err := j.view(ctx, folder)
	if err != nil {
		return artifact.ValidationReport{}, err
	}
	defer closeView()
	view.Watch = j.watchGates(ctx, gateWorker, told)
	if len(names) == 0 {
		return gate.Validate(ctx, view)
	}
	return gate.Only(ctx, view, names...)
}
