package operate

import (
	"context"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/pipeline"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/state"
)

// A Fix is what became of one issue, and what is left.
type Fix struct {
	OK                bool                      `json:"ok"`
	RunID             string                    `json:"run_id"`
	FixedIssueID      string                    `json:"fixed_issue_id"`
	AppliedPatchIDs   []string                  `json:"applied_patch_ids"`
	RemainingIssues   []IssueSummary            `json:"remaining_issues"`
	RemainingBlockers int                       `json:"remaining_blockers"`
	Report            artifact.ValidationReport `json:"validation_report"`
	State             state.State               `json:"state"`
}

// FixNext puts the next issue of a run right, and has it validated again. An issue
// whose fix changes nothing, or was taken back, stands: that is an error, and the
// issue counts as one that cannot be fixed from then on (10.4).
func (l *Launcher) FixNext(ctx context.Context, by Caller, runID string) (Fix, error) {
	answer := Fix{OK: true, RunID: runID}
	err := l.holding(ctx, by, runID, "fix_next", func(ctx context.Context, held *run.Held) error {
		fixed, err := l.executor.FixNext(ctx, held)
		answer.FixedIssueID, answer.Report, answer.State = fixed.IssueID, fixed.Report, held.Snapshot().State
		answer.AppliedPatchIDs = append([]string{}, fixed.PatchIDs...)
		if err == nil && len(fixed.PatchIDs) == 0 {
			return &pipeline.Fault{Code: pipeline.CodeUnfixable, Message: "the fix of " + fixed.IssueID + " was taken back: the issue was still there, or a new blocker was"}
		}
		return err
	})
	answer.RemainingIssues = openIssues(answer.Report.Issues)
	for _, i := range answer.RemainingIssues {
		if i.Severity == issue.Blocker {
			answer.RemainingBlockers++
		}
	}
	return answer, err
}
