package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/gate/fix"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

const failureSummaryName = "reports/failure_summary.md"

// How an attempt to fix an issue can end.
const (
	applied    = "applied"
	noDiff     = "no_diff"
	rolledBack = "rolled_back"
)

// The codes of fixes that did not come to be (3.6).
const (
	CodeUnfixable = "FIXER_UNFIXABLE"
	CodeNoDiff    = "FIXER_NO_DIFF"
)

// A Fixed is what became of one issue.
type Fixed struct {
	IssueID  string
	PatchIDs []string // none if nothing was changed
	Report   artifact.ValidationReport
}

// fixEvent is the payload of FIX_ATTEMPTED.
type fixEvent struct {
	IssueID  string   `json:"issue_id"`
	Attempt  int      `json:"attempt"`
	PatchIDs []string `json:"patch_ids"`
	Outcome  string   `json:"outcome"`
}

// fix puts one issue right (W8). The run is validated again in the next step,
// and fails when there is nothing left to try (10.4).
func (j *job) fix(ctx context.Context) error {
	if clashing := j.clashing(); len(clashing) > 0 {
		return j.mend(ctx, clashing)
	}
	if err := j.prepare(ctx); err != nil {
		return err
	}
	if gone, err := j.replan(ctx); gone || err != nil {
		return err
	}
	next, err := j.nextIssue()
	if err == nil {
		_, err = j.attempt(ctx, next)
	}
	fault, _ := errors.AsType[*Fault](err)
	switch {
	case fault != nil && fault.Code == CodeUnfixable:
		fault.Code = CodeExhausted
		fallthrough
	case fault != nil && fault.Code == CodeExhausted:
		return errors.Join(j.keepFailure(ctx), fault)
	case err != nil:
		return err
	}
	return j.held.Advance(ctx, snapshot.Change{New: state.Validating})
}

// nextIssue is the first issue of the last report that may be worked on.
func (j *job) nextIssue() (issue.Issue, error) {
	s := j.held.Snapshot()
	var report artifact.ValidationReport
	if err := j.load(map[string]any{artifact.ValidationReportName: &report}); err != nil {
		return issue.Issue{}, err
	}
	refuse := func(code, message string) error {
		return &Fault{Code: code, Stage: fixWorker, Message: message, Resumable: true}
	}
	switch {
	case s.FixAttempts >= j.config.MaxFixAttempts:
		return issue.Issue{}, refuse(CodeExhausted, fmt.Sprintf("all %d attempts to fix issues are used up", j.config.MaxFixAttempts))
	case s.FixAttempts+1 >= j.config.Budgets.MaxPatchAttempts:
		return issue.Issue{}, refuse(CodePatchAttempts, "the run has no attempts to patch left")
	}
	for i := range report.Issues {
		at := slices.IndexFunc(s.Issues, func(known issue.Issue) bool { return known.ID == report.Issues[i].ID })
		if at >= 0 {
			report.Issues[i].Status = s.Issues[at].Status
		}
	}
	next, ok := fix.Next(report, j.config.CIStrictness)
	if !ok {
		return next, refuse(CodeUnfixable, fmt.Sprintf("%d issues stand against the verdict, and no rule can put them right", standing(report, j.config.CIStrictness)))
	}
	return next, nil
}

func standing(report artifact.ValidationReport, strictness string) (count int) {
	for _, i := range report.Issues {
		if gate.Breaks(i, report.Profile, strictness) {
			count++
		}
	}
	return count
}

// keepFailure writes what stands against the verdict of a run that fails.
func (j *job) keepFailure(ctx context.Context) error {
	var report artifact.ValidationReport
	if err := j.load(map[string]any{artifact.ValidationReportName: &report}); err != nil {
		return err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "# Why the run failed\n\n- Profile: %s\n- Attempts to fix: %d\n\n", report.Profile, j.held.Snapshot().FixAttempts)
	for _, i := range report.Issues {
		if !gate.Breaks(i, report.Profile, j.config.CIStrictness) {
			continue
		}
		where := ""
		if i.Location != nil {
			where = fmt.Sprintf(" in `%s`", i.Location.Path)
		}
		fmt.Fprintf(&text, "- %s `%s`%s (%s): %s\n", i.Severity, i.Code, where, i.ID, i.Message)
	}
	_, err := j.keepTexts(ctx, fixWorker, map[string][]byte{failureSummaryName: []byte(text.String())})
	return err
}

// FixNext puts the next issue of a run right and validates it again, for whoever
// holds it (3.5). The run does not fail if that does not succeed.
func (p *Pipeline) FixNext(ctx context.Context, held *run.Held) (Fixed, error) {
	j, err := p.job(held)
	if err != nil {
		return Fixed{}, err
	}
	if at := held.Snapshot().State; at != state.Validating {
		return Fixed{}, &state.IllegalError{State: at, Reason: "issues are fixed in VALIDATING"}
	}
	if err := j.prepare(ctx); err != nil {
		return Fixed{}, err
	}
	next, err := j.nextIssue()
	if err != nil {
		return Fixed{}, err
	}
	if err := held.Advance(ctx, snapshot.Change{New: state.Fixing}); err != nil {
		return Fixed{}, err
	}
	event, err := j.attempt(ctx, next)
	if back := held.Advance(ctx, snapshot.Change{New: state.Validating}); err == nil {
		err = back
	}
	if err != nil {
		return Fixed{}, err
	}
	fixed := Fixed{IssueID: next.ID}
	if event.Outcome == applied {
		fixed.PatchIDs = event.PatchIDs
	}
	if fixed.Report, err = j.judge(ctx, true); err != nil {
		return fixed, err
	}
	if err := j.follow(ctx, fixed.Report); err != nil {
		return fixed, err
	}
	if event.Outcome == noDiff {
		return fixed, &Fault{Code: CodeNoDiff, Stage: fixWorker, Message: "no rule changes anything about the issue", Resumable: true}
	}
	return fixed, nil
}
