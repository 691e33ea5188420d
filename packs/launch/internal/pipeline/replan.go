package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// replanned begins the reason why a run goes back to its plan.
const replanned = "re-plan: "

// obsolete is where drafts go that a new plan has no use for.
const obsolete = "drafts/_obsolete"

// replan sends a run back to plan its pages anew, once, if an issue stands
// against it that no fix of a page can put right (10.4).
func (j *job) replan(ctx context.Context) (gone bool, err error) {
	var report artifact.ValidationReport
	if err := j.load(map[string]any{artifact.ValidationReportName: &report}); err != nil {
		return false, err
	}
	at := slices.IndexFunc(report.Issues, func(i issue.Issue) bool {
		return gate.Replans(i.Code) && gate.Breaks(i, report.Profile, j.config.CIStrictness)
	})
	if at < 0 {
		return false, nil
	}
	before := 0
	err = j.store.Events(j.held.ID(), func(e eventlog.Event) {
		var change snapshot.Change
		if e.Type == snapshot.RunStateChanged && json.Unmarshal(e.Payload, &change) == nil && strings.HasPrefix(change.Reason, replanned) {
			before++
		}
	})
	if err != nil || before > 0 {
		return false, err
	}
	if err := j.moveDrafts(ctx, before+1); err != nil {
		return false, err
	}
	return true, j.held.Return(ctx, state.FactsReady, replanned+report.Issues[at].Code)
}

// moveDrafts puts all drafts where they are out of the way. What a process that was
// killed on the way there has moved already was drafted again since, and is
// replaced.
func (j *job) moveDrafts(ctx context.Context, n int) error {
	var stale []eventlog.Draft
	artifacts := j.held.Snapshot().Artifacts
	for _, name := range sortedKeys(artifacts) {
		if entry := artifacts[name]; !entry.Stale && strings.HasPrefix(entry.Path, "drafts/") {
			stale = append(stale, eventlog.Draft{Type: snapshot.ArtifactStale, Payload: snapshot.Staleness{Name: name, Reason: "the pages are planned anew"}})
		}
	}
	if err := j.held.Append(ctx, stale...); err != nil {
		return err
	}
	root := j.held.Root()
	place := fmt.Sprintf("%s/%d", obsolete, n)
	if err := root.MkdirAll(place, 0o700); err != nil {
		return err
	}
	folders, err := fs.ReadDir(root.FS(), "drafts")
	if err != nil {
		return err
	}
	for _, folder := range folders {
		name, target := "drafts/"+folder.Name(), place+"/"+folder.Name()
		if name == obsolete {
			continue
		}
		if err := errors.Join(root.RemoveAll(target), root.Rename(name, target)); err != nil {
			return err
		}
	}
	return nil
}
