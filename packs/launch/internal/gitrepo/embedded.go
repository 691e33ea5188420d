package gitrepo

import (
	"context"
	"os"
	"path/filepath"
	"time"
)

// EmbeddedBranch is the branch of an embedded remote.
const EmbeddedBranch = "main"

// firstCommit is the same in every embedded remote, so that its id is the same
// everywhere (18.2).
var firstCommit = NewCommit{
	Message: "start the site\n", Author: "launcher", Email: "launcher@site.invalid",
	When: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC),
}

// Embedded opens the bare repository at dir. If there is none it makes one with
// one empty commit; of several that do so at once all get the same.
func (g *Git) Embedded(ctx context.Context, dir string) (*Repo, error) {
	r, first := &Repo{git: g, dir: dir}, "refs/heads/"+EmbeddedBranch
	if _, err := os.Stat(filepath.Join(dir, "HEAD")); err == nil {
		if _, ok, err := r.Resolve(ctx, first); ok || err != nil {
			return r, err
		}
	}
	mine, done, err := r.alone(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	if err := mine.init(ctx); err != nil {
		return nil, err
	}
	if _, ok, err := mine.Resolve(ctx, first); ok || err != nil {
		return r, err
	}
	sha, _, err := mine.commit(ctx, firstCommit)
	if err != nil {
		return nil, err
	}
	return r, mine.updateRef(ctx, first, sha, "")
}
