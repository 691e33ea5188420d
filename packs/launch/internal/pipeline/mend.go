package pipeline

import (
	"context"
	"errors"
	"slices"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate/fix"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/patch"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/stage/link"
)

// conflictScope is the work of the fixer on patches that do not fit.
const conflictScope = "conflicts"

// clashing are the open issues about patches that do not fit the site.
func (j *job) clashing() []issue.Issue {
	return slices.DeleteFunc(j.held.Snapshot().Issues, func(i issue.Issue) bool {
		return i.Gate != link.Stage || i.Code != patch.ConflictCode || i.Status == issue.Resolved
	})
}

// mend makes patches fit that did not: those that name headings which a page does
// not have are hung up elsewhere (9.3, 18.7). Other conflicts end the run.
func (j *job) mend(ctx context.Context, clashing []issue.Issue) error {
	unmendable := &Fault{Code: patch.ConflictCode, Stage: fixWorker, Message: "patches do not fit the site, and no rule can make them: " + clashing[0].Message, Resumable: true}
	if j.held.Snapshot().FixAttempts >= j.config.MaxFixAttempts {
		return unmendable
	}
	reads, err := j.reading(artifact.PagePlanName, artifact.DraftManifestName)
	if err != nil {
		return err
	}
	err = j.perform(ctx, task{fixWorker, conflictScope, reads, func(ctx context.Context) ([]string, error) {
		in, closeBase, err := j.linkInputs(ctx)
		if err != nil {
			return nil, err
		}
		defer closeBase()
		event := fixEvent{IssueID: clashing[0].ID, Attempt: j.held.Snapshot().FixAttempts + 1, PatchIDs: []string{}, Outcome: noDiff}
		bundle, result, ids, err := reanchored(ctx, in)
		if err != nil {
			settled := []eventlog.Draft{{Type: snapshot.FixAttempted, Payload: event}}
			for _, i := range clashing {
				settled = append(settled, eventlog.Draft{Type: snapshot.IssueUnfixable, Payload: snapshot.Finding{ID: i.ID, Resolution: noDiff}})
			}
			unmendable.Err = err
			return nil, errors.Join(j.held.Append(ctx, settled...), unmendable)
		}
		event.PatchIDs, event.Outcome = ids, applied
		if _, err := j.keep(ctx, fixWorker, map[string]any{artifact.PatchConflictsName: artifact.PatchConflicts{SchemaVersion: artifact.Version}}); err != nil {
			return nil, err
		}
		if err := j.keepBundle(ctx, fixWorker, bundle, result); err != nil {
			return nil, err
		}
		settled := []eventlog.Draft{{Type: snapshot.FixAttempted, Payload: event}}
		for _, i := range clashing {
			settled = append(settled, eventlog.Draft{Type: snapshot.IssueResolved, Payload: snapshot.Finding{ID: i.ID, Resolution: applied}})
		}
		return []string{artifact.PatchBundleName, artifact.PatchConflictsName, diffReportName, sitePatchName}, j.held.Append(ctx, settled...)
	}})
	if err != nil {
		return err
	}
	if err := j.rebuild(ctx); err != nil {
		return err
	}
	return j.linked(ctx)
}

// reanchored is the bundle of the linker with the patches hung up where they fit,
// and the ids of those.
func reanchored(ctx context.Context, in link.Inputs) (sealed artifact.PatchBundle, result *patch.Result, ids []string, err error) {
	out, _, err := link.Run(ctx, in)
	conflict, clashes := errors.AsType[*patch.ConflictError](err)
	if !clashes {
		return out.Bundle, out.Result, nil, err
	}
	mended, ok := fix.Reanchor(out.Bundle, conflict.Conflicts, func(path string) ([]byte, error) { return in.Tree.Read(path, patch.MaxFile) })
	if !ok {
		return sealed, nil, nil, conflict
	}
	sealed, result, err = patch.Seal(in.Tree, in.BaseSHA, mended.Patches, in.Rules)
	for _, c := range conflict.Conflicts {
		ids = append(ids, c.PatchID)
	}
	return sealed, result, ids, err
}
