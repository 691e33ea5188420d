package pipeline

import (
	"context"
	"errors"
	"maps"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/patch"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
	"mcpworks/packs/launch/internal/stage/link"
)

// The reports about the change.
const (
	diffReportName = "reports/diff_report.md"
	sitePatchName  = "reports/site.patch"
)

// link has the drafts reviewed, and patches them into the worktree (W5.5, W6).
func (j *job) link(ctx context.Context) error {
	if gone, err := j.review(ctx); gone || err != nil {
		return err
	}
	s := j.held.Snapshot()
	if j.reached(s) {
		return nil
	}
	if s.State == state.DraftReady {
		if err := j.held.Advance(ctx, snapshot.Change{New: state.Linking}); err != nil {
			return err
		}
	}
	if err := j.patchSite(ctx); err != nil {
		if _, clashes := errors.AsType[*patch.ConflictError](err); clashes && ctx.Err() == nil { // 18.7
			return j.held.Advance(ctx, snapshot.Change{New: state.Fixing, Reason: patch.ConflictCode})
		}
		return err
	}
	return j.linked(ctx)
}

// linked takes the run on when the worktree has the pages.
func (j *job) linked(ctx context.Context) error {
	var plan artifact.PagePlan
	if err := j.load(map[string]any{artifact.PagePlanName: &plan}); err != nil {
		return err
	}
	if err := j.setSections(ctx, plan, state.MergedInWorktree); err != nil {
		return err
	}
	return j.held.Advance(ctx, snapshot.Change{New: state.Validating})
}

// patchSite makes the bundle, unless the one that is there was made of the same
// drafts: then it is kept, with the fixes that it has by now. The worktree is
// made anew in either case (5.7).
func (j *job) patchSite(ctx context.Context) error {
	reads, err := j.reading(artifact.PagePlanName, artifact.DraftManifestName)
	if err != nil {
		return err
	}
	s := j.held.Snapshot()
	last, ok := lastItem(s, linkWorker, "")
	if !ok {
		last, ok = lastItem(s, fixWorker, conflictScope)
	}
	if _, err := j.read(artifact.PatchBundleName); ok && err == nil && !s.Artifacts[artifact.PatchBundleName].Stale && maps.Equal(last.Inputs, reads) {
		rebuilt := j.rebuild(ctx)
		if rebuilt == nil {
			return j.held.Append(ctx, eventlog.Draft{Type: snapshot.WorkItemSkipped, Payload: last})
		}
		if !errors.Is(rebuilt, errOtherTree) {
			return rebuilt
		}
		reads["log"] = last.ID // the bundle does not lead where it says: it is made again
	}
	if err := j.perform(ctx, task{linkWorker, "", reads, j.makeBundle}); err != nil {
		return err
	}
	return j.rebuild(ctx)
}

func (j *job) makeBundle(ctx context.Context) ([]string, error) {
	in, closeBase, err := j.linkInputs(ctx)
	if err != nil {
		return nil, err
	}
	defer closeBase()
	out, issues, err := link.Run(ctx, in)
	if reported := j.report(ctx, []string{link.Stage}, issues); reported != nil {
		return nil, reported
	}
	if conflict, ok := errors.AsType[*patch.ConflictError](err); ok {
		if _, err := j.keep(ctx, linkWorker, map[string]any{artifact.PatchConflictsName: conflict.Document()}); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, blocked(issues, err)
	}
	if err := j.removeFolder(siteFolder); err != nil { // an older one would look as if somebody had edited it
		return nil, err
	}
	documents := map[string]any{artifact.PatchBundleName: out.Bundle}
	if _, before := j.held.Snapshot().Artifacts[artifact.PatchConflictsName]; before {
		documents[artifact.PatchConflictsName] = artifact.PatchConflicts{SchemaVersion: artifact.Version}
	}
	if _, err := j.keep(ctx, linkWorker, documents); err != nil {
		return nil, err
	}
	names, err := j.keepTexts(ctx, linkWorker, map[string][]byte{diffReportName: []byte(out.Report), sitePatchName: []byte(out.Patch)})
	return append(names, sortedKeys(documents)...), err
}

func (j *job) linkInputs(ctx context.Context) (in link.Inputs, closeBase func(), err error) {
	var inventory artifact.RepoInventory
	in = link.Inputs{Profile: j.profile, Editing: j.rules.Editing, Rules: j.patchRules()}
	err = j.load(map[string]any{artifact.PagePlanName: &in.Plan, artifact.DraftManifestName: &in.Manifest, artifact.RepoInventoryName: &inventory})
	if err != nil {
		return in, nil, err
	}
	if in.Files, err = j.drafts(in.Manifest); err != nil {
		return in, nil, err
	}
	if in.Product, err = j.product(inventory.RepoProfile.PlatformFamily); err != nil {
		return in, nil, err
	}
	base, closeBase, err := j.behindFence(ctx, baseFolder)
	in.Tree, in.BaseSHA = base, inventory.SiteSHA
	return in, closeBase, err
}

// patchRules are what the run may change (4.1). The lines of new pages count only
// for budgets that were given: how long those are is up to the product, and the
// default is about changes to what people have written.
func (j *job) patchRules() patch.Rules {
	b := j.config.Budgets
	return patch.Rules{
		AllowDelete: !j.rules.Editing.ForbidDeleting, MaxFilesChanged: b.MaxFilesChanged, MaxLinesPerFile: b.MaxLinesPerFile,
		SpareNew: !j.config.BudgetsGiven, MaxFileWrites: b.MaxFileWrites, RefuseFormatting: j.config.ValidationProfile == "prod",
	}
}

// keepBundle writes a bundle with the reports about it. The bundle comes last: if
// this is cut short, the old one stands, and what led to the new one is done
// again.
func (j *job) keepBundle(ctx context.Context, worker string, bundle artifact.PatchBundle, result *patch.Result) error {
	reports := map[string][]byte{diffReportName: []byte(link.Report(bundle, result)), sitePatchName: []byte(result.Diff())}
	if _, err := j.keepTexts(ctx, worker, reports); err != nil {
		return err
	}
	_, err := j.keep(ctx, worker, map[string]any{artifact.PatchBundleName: bundle})
	return err
}
