package pipeline

import (
	"bytes"
	"context"
	"maps"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
	"mcpworks/packs/launch/internal/stage/review"
)

// review has the drafts looked at (W5.5). The reviewer changes drafts; so his
// inputs are the drafts as they were written, and if they are no longer there,
// because he was killed in the middle of it, they are written again. Gone is
// true if the run has been sent back or paused.
func (j *job) review(ctx context.Context) (gone bool, err error) {
	if !j.config.ReviewEnabled {
		return false, nil
	}
	s := j.held.Snapshot()
	if !j.reviewed(s) && !asWritten(s) {
		return true, j.held.Return(ctx, state.PlanReady, "a review was not finished")
	}
	reads, err := j.reviewReads(s)
	if err != nil {
		return false, err
	}
	if err := j.perform(ctx, task{reviewWorker, "", reads, j.look}); err != nil {
		return false, err
	}
	return j.agreed(ctx)
}

// look reviews the drafts, and keeps those that were put right.
func (j *job) look(ctx context.Context) ([]string, error) {
	var in review.Inputs
	err := j.load(map[string]any{
		artifact.PagePlanName: &in.Plan, artifact.DraftManifestName: &in.Manifest, artifact.ProductFactsName: &in.Facts,
		artifact.EvidenceMapName: &in.Evidence, artifact.SnippetCatalogName: &in.Snippets, artifact.FrontmatterContractName: &in.Contract,
	})
	if err != nil {
		return nil, err
	}
	if in.Files, err = j.drafts(in.Manifest); err != nil {
		return nil, err
	}
	out, issues, err := review.Run(ctx, in)
	if reported := j.report(ctx, []string{review.Stage}, issues); reported != nil {
		return nil, reported
	}
	if err != nil {
		return nil, blocked(issues, err)
	}
	texts := maps.Clone(out.Files)
	maps.DeleteFunc(texts, func(name string, text []byte) bool { return bytes.Equal(text, in.Files[name]) })
	names, err := j.keepTexts(ctx, reviewWorker, texts)
	if err != nil {
		return nil, err
	}
	documents := map[string]any{artifact.ReviewReportName: out.Report}
	if len(texts) > 0 {
		documents[artifact.DraftManifestName] = out.Manifest
	}
	more, err := j.keep(ctx, reviewWorker, documents)
	return append(names, more...), err
}

// reviewReads are what the reviewer reads: the drafts as the writer left them.
func (j *job) reviewReads(s *snapshot.Snapshot) (map[string]string, error) {
	reads, err := j.reading(artifact.PagePlanName, artifact.ProductFactsName, artifact.EvidenceMapName, artifact.SnippetCatalogName, artifact.FrontmatterContractName)
	if err != nil {
		return nil, err
	}
	return merged(reads, writtenDrafts(s)), nil
}

// writtenDrafts are the outputs of the writer.
func writtenDrafts(s *snapshot.Snapshot) map[string]string {
	written := map[string]string{}
	for _, item := range s.WorkItems {
		if last, ok := lastItem(s, writeWorker, item.Scope); item.Worker == writeWorker && ok {
			maps.Copy(written, last.Outputs)
		}
	}
	return written
}

// asWritten says whether the drafts are as the writer left them.
func asWritten(s *snapshot.Snapshot) bool {
	for name, sha := range writtenDrafts(s) {
		if s.Artifacts[name].SHA256 != sha {
			return false
		}
	}
	return true
}

// reviewed says whether the present drafts were reviewed.
func (j *job) reviewed(s *snapshot.Snapshot) bool {
	if !j.config.ReviewEnabled {
		return true
	}
	last, ok := lastItem(s, reviewWorker, "")
	reads, err := j.reviewReads(s)
	if !ok || err != nil || !maps.Equal(last.Inputs, reads) {
		return false
	}
	for name, sha := range last.Outputs {
		if entry := s.Artifacts[name]; entry.Stale || entry.SHA256 != sha {
			return false
		}
	}
	return true
}

// agreed pauses a run in prod whose drafts were rejected, once: whoever resumes
// it has seen them (6.6). The pause and the note of it are one write.
func (j *job) agreed(ctx context.Context) (paused bool, err error) {
	var report artifact.ReviewReport
	if err := j.load(map[string]any{artifact.ReviewReportName: &report}); err != nil {
		return false, err
	}
	if report.OverallStatus != review.Reject || j.config.ValidationProfile != "prod" {
		return false, nil
	}
	sha := j.held.Snapshot().Artifacts[artifact.ReviewReportName].SHA256
	item, skip, err := j.held.BeginItem(ctx, reviewWorker, "agreement", map[string]string{artifact.ReviewReportName: sha})
	if err != nil || skip {
		return false, err
	}
	return true, j.held.Append(ctx,
		eventlog.Draft{Type: snapshot.RunPaused, Payload: snapshot.Pause{Reason: snapshot.ReviewRequired}},
		eventlog.Draft{Type: snapshot.WorkItemFinished, Payload: item})
}
