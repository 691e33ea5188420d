package scout

import (
	"context"
	"errors"
	"os"

	"mcpworks/packs/launch/internal/gitrepo"
)

// Fetch gets a repository at a ref and writes its files to dir. The site's
// worktree is made the same way and stays writable.
func Fetch(ctx context.Context, cache *gitrepo.Cache, url, ref, dir string, readOnly bool) (Source, error) {
	snapshot, err := cache.Fetch(ctx, url, ref)
	if err != nil {
		return Source{}, err
	}
	checkout, err := snapshot.Repo.Checkout(ctx, snapshot.SHA, dir, readOnly)
	if err != nil {
		return Source{}, err
	}
	return Source{
		URL: url, RequestedRef: ref, SHA: snapshot.SHA, Files: os.DirFS(dir),
		DefaultBranch: snapshot.Refs.DefaultBranch, LatestTag: snapshot.Refs.LatestTag(), Ignored: checkout.Ignored, Skipped: checkout.Skipped,
	}, nil
}

// ErrorCode names an error of Fetch or Run as answers do (3.6), and says whether
// the same may work later.
func ErrorCode(err error) (code string, retryable bool) {
	failed, _ := errors.AsType[*gitrepo.Error](err)
	switch kind := gitrepo.KindOf(err); {
	case errors.Is(err, ErrEmpty) || kind == gitrepo.Empty:
		return "REPO_EMPTY", false
	case kind == gitrepo.NotFound:
		return "REPO_NOT_FOUND", false
	case kind == gitrepo.Missing:
		return "VALIDATOR_TOOL_MISSING", false
	case kind == gitrepo.Refused:
		return "REPO_URL_POLICY_VIOLATION", false
	case kind == gitrepo.Cancelled || errors.Is(err, context.Canceled):
		return "ORCHESTRATOR_CANCELLED", false
	}
	return "REPO_SCOUT_CLONE_FAILED", failed != nil && failed.Retryable()
}
