package gate

import (
	"context"
	"slices"

	"mcpworks/packs/launch/internal/artifact"
)

// The codes of rollback.
const (
	CodeRollbackMissing = "PR_MISSING_ROLLBACK_METADATA"
	CodeBaseRef         = "PR_INVALID_BASE_REF_FORMAT"
	CodeNoSteps         = "PR_EMPTY_ROLLBACK_STEPS"
	CodeNoPaths         = "PR_EMPTY_AFFECTED_PATHS"
	CodePathNotInDiff   = "PR_AFFECTED_PATH_NOT_IN_DIFF"
)

// rollback demands that a pull request says how to take it back (C-42).
func rollback(_ context.Context, v *View, r *report) {
	const name = artifact.PullRequestName
	if !v.have[name] {
		r.add(0, CodeRollbackMissing, name, "missing", "%s is missing or cannot be read", name)
		return
	}
	if !isSHA(v.PR.BaseRef) {
		r.add(0, CodeBaseRef, name, "base_ref", "base_ref is not a commit")
	}
	if len(v.PR.RollbackSteps) == 0 {
		r.add(0, CodeNoSteps, name, "rollback_steps", "there are no rollback_steps")
	}
	if len(v.PR.AffectedPaths) == 0 {
		r.add(0, CodeNoPaths, name, "affected_paths", "there are no affected_paths")
	}
	for _, path := range v.PR.AffectedPaths {
		if !slices.Contains(v.Changed, path) {
			r.add(0, CodePathNotInDiff, name, path, "the affected path %s was not changed", quoted(path))
		}
	}
}
