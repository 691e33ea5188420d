package operate

import (
	"context"

	"mcpworks/packs/launch/internal/commitsvc"
	"mcpworks/packs/launch/internal/pr"
	"mcpworks/packs/launch/internal/record"
	"mcpworks/packs/launch/internal/run"
)

// An Opening is the pull request of a run. Without changes there is none.
type Opening struct {
	OK        bool    `json:"ok"`
	RunID     string  `json:"run_id"`
	URL       *string `json:"pr_url"`
	Branch    *string `json:"branch"`
	CommitSHA *string `json:"commit_sha"`
	Number    *int    `json:"pr_number"`
	NoChanges bool    `json:"no_changes,omitempty"`
}

// An Approval is a person's yes or no to a pull request.
type Approval struct {
	Approved bool   `json:"approved"`
	Source   string `json:"approval_source"`
	Approver string `json:"approver"`
}

// OpenPR opens the pull request of a run and ends it (11.3).
func (l *Launcher) OpenPR(ctx context.Context, by Caller, runID string, draft bool, approval *Approval) (Opening, error) {
	options := pr.Options{Draft: draft}
	if approval != nil {
		options.Approval = &commitsvc.Approval{
			Approved: approval.Approved, Source: approval.Source, Approver: approval.Approver, Timestamp: record.Time(l.options.Clock()),
		}
	}
	answer := Opening{OK: true, RunID: runID}
	err := l.holding(ctx, by, runID, "open_pr", func(ctx context.Context, held *run.Held) error {
		outcome, err := l.executor.OpenPR(ctx, held, options)
		if err != nil {
			return err
		}
		if answer.NoChanges = outcome.NoChanges; answer.NoChanges {
			return nil
		}
		made := outcome.Document
		answer.URL, answer.Branch, answer.CommitSHA = &made.URL, &made.BranchName, &outcome.CommitSHA
		if made.Number > 0 {
			answer.Number = &made.Number
		}
		return nil
	})
	return answer, err
}
