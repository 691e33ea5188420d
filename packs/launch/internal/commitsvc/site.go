package commitsvc

import (
	"cmp"
	"context"
	"strings"

	"mcpworks/packs/launch/internal/gitrepo"
)

// A Site is a repository that the service commits to.
type Site struct {
	Name   string // of its profile
	Dir    string // of the bare repository, such as remotes/default.git
	Remote string // where it comes from; empty for one that is only here
	Branch string // the site's own; empty means main
}

// beside is a file next to the repository.
func (s Site) beside(ending string) string { return strings.TrimSuffix(s.Dir, ".git") + ending }

// open opens the bare repository, and makes it if need be; the site's lock is
// held. A site that has a
// remote gets the base from there; nothing is ever pushed back.
func (s Site) open(ctx context.Context, git *gitrepo.Git, base string) (*gitrepo.Repo, error) {
	repo, err := git.Embedded(ctx, s.Dir)
	if err != nil || s.Remote == "" || base == "" {
		return repo, err
	}
	return repo, repo.Fetch(ctx, s.Remote, base)
}

// tip is where the branch that a base_ref names is now. A commit id stands for
// the site's own branch.
func (s Site) tip(ctx context.Context, git *gitrepo.Git, repo *gitrepo.Repo, baseRef string) (string, error) {
	branch := strings.TrimPrefix(baseRef, "refs/heads/")
	if gitrepo.IsSHA(baseRef) {
		branch = cmp.Or(s.Branch, gitrepo.EmbeddedBranch)
	}
	if s.Remote == "" {
		sha, _, err := repo.Resolve(ctx, "refs/heads/"+branch)
		return sha, err
	}
	refs, err := git.LsRemote(ctx, s.Remote)
	if err != nil {
		return "", err
	}
	if gitrepo.IsSHA(baseRef) && s.Branch == "" {
		return refs.Head, nil
	}
	sha, _ := refs.Resolve("refs/heads/" + branch)
	return sha, nil
}
