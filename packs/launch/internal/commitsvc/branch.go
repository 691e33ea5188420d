package commitsvc

import (
	"context"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/gitrepo"
)

var errTaken = refuse(BranchExists, "the branch was moved by somebody else, or another one is in its way")

// moveBranch moves a branch from old, which is empty for a new one, to sha.
func moveBranch(ctx context.Context, repo *gitrepo.Repo, ref, sha, old string) error {
	err := repo.UpdateRef(ctx, ref, sha, old)
	if kind := gitrepo.KindOf(err); kind != gitrepo.RefMoved && kind != gitrepo.Failed {
		return err
	}
	taken, askErr := isTaken(ctx, repo, ref, old)
	switch {
	case askErr != nil:
		return askErr
	case taken:
		return errTaken
	}
	return err
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
