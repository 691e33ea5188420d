package commitsvc

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mcpworks/packs/launch/internal/gitrepo"
)

// staleLock is the age at which the lock of a ref belongs to nobody: no git that
// was started here runs for so long.
const staleLock = 15 * time.Minute

var errTaken = refuse(BranchExists, "the branch was moved by somebody else, or another one is in its way")

// moveBranch moves a branch from old, which is empty for a new one, to sha. A
// lock that a killed git left behind is removed.
func (s *Server) moveBranch(ctx context.Context, site Site, repo *gitrepo.Repo, ref, sha, old string) error {
	err := repo.UpdateRef(ctx, ref, sha, old)
	if kind := gitrepo.KindOf(err); kind != gitrepo.RefMoved && kind != gitrepo.Failed {
		return err
	}
	taken, askErr := isTaken(ctx, repo, ref, old)
	if askErr != nil {
		return askErr
	}
	if taken {
		return errTaken
	}
	lock := filepath.Join(site.Dir, filepath.FromSlash(ref)+".lock")
	info, statErr := os.Lstat(lock)
	switch {
	case statErr != nil:
		return err
	case s.config.Now().Sub(info.ModTime()) < staleLock:
		return &fault{code: Unavailable, message: "the branch is locked", cause: err}
	}
	if err := os.Remove(lock); err != nil {
		return err
	}
	return repo.UpdateRef(ctx, ref, sha, old)
}

// isTaken says whether the branch is not where it was, or cannot be because of
// another one: no branch can be a folder of branches.
func isTaken(ctx context.Context, repo *gitrepo.Repo, ref, old string) (bool, error) {
	tip, _, err := repo.Resolve(ctx, ref)
	if err != nil || tip != old {
		return err == nil, err
	}
	branch := strings.TrimPrefix(ref, "refs/heads/")
	all, err := repo.Branches(ctx, BranchPrefix)
	return slices.ContainsFunc(all, func(other string) bool {
		return strings.HasPrefix(branch, other+"/") || strings.HasPrefix(other, branch+"/")
	}), err
}
