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
	"mcpworks/packs/launch/internal/patch"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
)

// attempt tries to put one issue right. The site with the fix is made and judged
// beside the worktree: it takes its place only if the issue is gone and no new
// blocker has come.
func (j *job) attempt(ctx context.Context, target issue.Issue) (event fixEvent, err error) {
	reads, err := j.reading(artifact.PatchBundleName, artifact.ValidationReportName)
	if err != nil {
		return event, err
	}
	event = fixEvent{IssueID: target.ID, Attempt: j.held.Snapshot().FixAttempts + 1, PatchIDs: []string{}, Outcome: noDiff}
	err = j.perform(ctx, task{fixWorker, target.ID, reads, func(ctx context.Context) ([]string, error) {
		candidate, result, ids, err := j.candidate(ctx, target)
		if err != nil {
			return nil, err
		}
		var names []string
		if len(ids) > 0 {
			event.PatchIDs, event.Outcome = ids, rolledBack
			kept, err := j.tryOut(ctx, target, candidate)
			if err != nil {
				return nil, err
			}
			if kept {
				event.Outcome = applied
				if names, err = j.keepFix(ctx, event, target, candidate, result); err != nil {
					return nil, err
				}
			}
		}
		settled := eventlog.Draft{Type: snapshot.IssueUnfixable, Payload: snapshot.Finding{ID: target.ID, Resolution: event.Outcome}}
		if event.Outcome == applied {
			settled = eventlog.Draft{Type: snapshot.IssueResolved, Payload: snapshot.Finding{ID: target.ID, Resolution: event.Outcome}}
		}
		return names, j.held.Append(ctx, eventlog.Draft{Type: snapshot.FixAttempted, Payload: event}, settled)
	}})
	return event, err
}

// candidate is the bundle with patches for an issue at its end; there are no ids
// if no rule changes anything, or what it does is not allowed.
func (j *job) candidate(ctx context.Context, target issue.Issue) (sealed artifact.PatchBundle, result *patch.Result, ids []string, err error) {
	view, closeView, err := j.view(ctx, siteFolder)
	if err != nil {
		return sealed, nil, nil, err
	}
	defer closeView()
	drafts, err := j.draftsBySitePath()
	if err != nil {
		return sealed, nil, nil, err
	}
	patches, err := fix.Patches(view, target, drafts)
	if errors.Is(err, fix.ErrUnfixable) || err == nil && len(patches) == 0 {
		return sealed, nil, nil, nil
	}
	if err != nil {
		return sealed, nil, nil, err
	}
	base, closeBase, err := j.behindFence(ctx, baseFolder)
	if err != nil {
		return sealed, nil, nil, err
	}
	defer closeBase()
	before := slices.Clone(view.Bundle.Patches)
	sealed, result, err = patch.Seal(base, view.Bundle.BaseSHA, slices.Concat(before, patches), j.patchRules())
	if err == nil {
		if stamps := restamped(result, patches); len(stamps) > 0 {
			sealed, result, err = patch.Seal(base, view.Bundle.BaseSHA, slices.Concat(before, patches, stamps), j.patchRules())
		}
	}
	switch fault := faultOf(err); {
	case err != nil && fault != nil && !fault.Retryable: // the fence, a budget or a conflict: the fix is not made
		return artifact.PatchBundle{}, nil, nil, nil
	case err != nil:
		return sealed, nil, nil, err
	case sealed.TreeHashAfter == view.Bundle.TreeHashAfter:
		return sealed, nil, nil, nil
	}
	for _, p := range sealed.Patches[len(before):] {
		ids = append(ids, p.ID)
	}
	return sealed, result, ids, nil
}

// restamped renews the stamps of pages that fixes have changed, so that a later
// launch still knows them.
func restamped(result *patch.Result, fixes []artifact.Patch) []artifact.Patch {
	var stamps []artifact.Patch
	for _, change := range result.Changes {
		at := slices.IndexFunc(fixes, func(p artifact.Patch) bool { return p.Path == change.Path })
		text := string(change.After)
		if at < 0 || change.After == nil || !strings.Contains(text, patch.StampKey) || patch.Stamped(text) {
			continue
		}
		stamped := patch.Stamp(text)
		for _, p := range patch.Edit(change.Path, &text, &stamped) {
			p.Origin, p.IssueID, p.Section, p.PageID = patch.OriginFix, fixes[at].IssueID, fixes[at].Section, fixes[at].PageID
			stamps = append(stamps, p)
		}
	}
	return stamps
}

// tryOut makes the site with a candidate and judges it.
func (j *job) tryOut(ctx context.Context, target issue.Issue, candidate artifact.PatchBundle) (good bool, err error) {
	const tried = siteFolder + ".fix"
	defer func() { err = errors.Join(err, j.removeFolder(tried)) }()
	if err := j.build(ctx, candidate, tried); err != nil {
		return false, err
	}
	var before artifact.ValidationReport
	if err := j.load(map[string]any{artifact.ValidationReportName: &before}); err != nil {
		return false, err
	}
	after, err := j.examineWith(ctx, tried, candidate)
	if err != nil {
		return false, err
	}
	has := func(report artifact.ValidationReport, id string) bool {
		return slices.ContainsFunc(report.Issues, func(i issue.Issue) bool { return i.ID == id })
	}
	fresh := slices.ContainsFunc(after.Issues, func(i issue.Issue) bool { return i.Severity == issue.Blocker && !has(before, i.ID) })
	return !has(after, target.ID) && !fresh, nil
}

// examineWith judges a folder as if a bundle were the run's.
func (j *job) examineWith(ctx context.Context, folder string, bundle artifact.PatchBundle) (artifact.ValidationReport, error) {
	view, closeView, err := j.view(ctx, folder)
	if err != nil {
		return artifact.ValidationReport{}, err
	}
	defer closeView()
	text, err := artifact.Encode(bundle)
	if err != nil {
		return artifact.ValidationReport{}, err
	}
	in := view.Input
	in.Documents[artifact.PatchBundleName] = text
	in.Watch = j.watchGates(ctx, fixWorker, false)
	return gate.Validate(ctx, gate.NewView(in))
}

// keepFix makes the candidate the run's bundle, and writes what was done. The
// worktree goes first: an older one would look as if somebody had edited it.
func (j *job) keepFix(ctx context.Context, event fixEvent, target issue.Issue, candidate artifact.PatchBundle, result *patch.Result) ([]string, error) {
	name := "reports/fix_" + target.ID + ".md"
	text := fmt.Sprintf("# Fix of %s\n\n- Code: `%s`\n- Gate: %s\n- File: `%s`\n- Patches: %s\n", target.ID, target.Code, target.Gate, target.Location.Path, strings.Join(event.PatchIDs, ", "))
	if _, err := j.keepTexts(ctx, fixWorker, map[string][]byte{name: []byte(text)}); err != nil {
		return nil, err
	}
	if err := j.removeFolder(siteFolder); err != nil {
		return nil, err
	}
	return []string{artifact.PatchBundleName, diffReportName, sitePatchName, name}, j.keepBundle(ctx, fixWorker, candidate, result)
}

// draftsBySitePath are the drafts by their places in the site.
func (j *job) draftsBySitePath() (map[string]string, error) {
	var manifest artifact.DraftManifest
	if err := j.load(map[string]any{artifact.DraftManifestName: &manifest}); err != nil {
		return nil, err
	}
	files, err := j.drafts(manifest)
	if err != nil {
		return nil, err
	}
	drafts := map[string]string{}
	for _, draft := range manifest.Drafts {
		drafts[draft.OutputPath] = string(files[draft.DraftPath])
	}
	return drafts, nil
}
