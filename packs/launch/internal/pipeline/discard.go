package pipeline

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/run/eventlog"
)

// editsDiscarded is the event that says that edits by hand were put back.
const editsDiscarded = "MANUAL_EDITS_DISCARDED"

// CodeEditsDiscarded is the code of the issue about such edits.
const CodeEditsDiscarded = "WORKTREE_EDITS_DISCARDED"

// mostDiscarded is how many files with discarded edits are named.
const mostDiscarded = 20

// noteEdits records the edits that are lost when a folder becomes the worktree. Only
// a worktree that was judged can have any: it was what the bundle says.
func (j *job) noteEdits(ctx context.Context, bundle artifact.PatchBundle, next string) error {
	var report artifact.ValidationReport
	if entry, judged := j.held.Snapshot().Artifacts[artifact.ValidationReportName]; !judged || entry.Stale {
		return nil
	}
	if err := j.load(map[string]any{artifact.ValidationReportName: &report}); err != nil || report.TreeHash != bundle.TreeHashAfter {
		return err
	}
	site := j.place("work", siteFolder)
	if _, err := os.Stat(site); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	names, err := changed(ctx, os.DirFS(j.place("work", next)), os.DirFS(site))
	if err != nil || len(names) == 0 {
		return err
	}
	j.discarded = names
	return j.held.Append(ctx, eventlog.Draft{Type: editsDiscarded, Payload: map[string]any{
		"count": len(names), "files": names[:min(len(names), mostDiscarded)], "reason": "allow_manual_edits is not set",
	}})
}

// tellDiscarded adds what was discarded to a report that somebody has asked for. It
// is about this one look, and so in no artifact.
func (j *job) tellDiscarded(report artifact.ValidationReport) artifact.ValidationReport {
	if len(j.discarded) == 0 {
		return report
	}
	told := issue.New(gate.WriteScope, issue.Info, CodeEditsDiscarded, j.discarded[0], "",
		"edits by hand were discarded: the run has no allow_manual_edits (%d in all)", len(j.discarded))
	told.Files = j.discarded[:min(len(j.discarded), mostDiscarded)]
	told.SuggestedFix = "start a run with allow_manual_edits"
	report.Issues = append(report.Issues[:len(report.Issues):len(report.Issues)], told)
	return report
}
