package pipeline

import (
	"context"
	"reflect"
	"slices"

	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
)

// mostIssues is how many issues of one look are kept, the worst first. A hostile
// repository can make as many as it has files.
const mostIssues = 500

// report records what finders, which are stages or gates, have found now. What
// they found before and do not find any more is resolved. An issue that could
// not be put right stays so for as long as it is there.
func (j *job) report(ctx context.Context, finders []string, found []issue.Issue) error {
	known := map[string]issue.Issue{}
	for _, i := range j.held.Snapshot().Issues {
		known[i.ID] = i
	}
	seen := map[string]bool{}
	var drafts []eventlog.Draft
	for _, i := range found[:min(len(found), mostIssues)] {
		before, was := known[i.ID]
		if again := seen[i.ID]; again || was && (before.Status == issue.Unfixable || reflect.DeepEqual(before, i)) {
			seen[i.ID] = true
			continue
		}
		seen[i.ID] = true
		drafts = append(drafts, eventlog.Draft{Type: snapshot.IssueOpened, Payload: snapshot.Finding{Issue: i}})
	}
	for _, id := range sortedKeys(known) {
		if i := known[id]; !seen[id] && i.Status != issue.Resolved && slices.Contains(finders, i.Gate) {
			drafts = append(drafts, eventlog.Draft{Type: snapshot.IssueResolved, Payload: snapshot.Finding{ID: id, Resolution: "it is gone"}})
		}
	}
	if len(drafts) == 0 {
		return nil
	}
	return j.held.Append(ctx, drafts...)
}
