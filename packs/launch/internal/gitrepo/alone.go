package gitrepo

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
)

// alone returns the repository as one that nobody else changes until done is
// called, in this process or in another. Git holds the lock as well: if this
// process is killed, the next one waits until the git it has left is gone. So
// whatever looks unfinished then is rubbish.
func (r *Repo) alone(ctx context.Context) (mine *Repo, done func(), err error) {
	if err := os.MkdirAll(filepath.Dir(r.dir), 0o700); err != nil {
		return nil, nil, asError("make the repository", err)
	}
	lock, done, err := r.git.locks.lock(ctx, r.dir+".lock")
	if err != nil {
		return nil, nil, asError("wait for the repository", err)
	}
	return &Repo{git: r.git, dir: r.dir, lock: lock}, done, nil
}

// scratchPattern are the folders in which commits are made.
const scratchPattern = "launch-index-*"

// tidyCommit removes what a commit that was killed left behind. The caller is
// alone with the repository, as that of tidyFetch.
func (r *Repo) tidyCommit() { removeAll(r.dir, scratchPattern, "objects/??/tmp_obj_*") }

// tidyFetch removes what a fetch that was killed left behind.
func (r *Repo) tidyFetch() {
	removeAll(r.dir, "shallow.lock", "refs/launch/*.lock", "objects/pack/tmp_*", "objects/pack/.tmp-*")
}

// removeAll removes what patterns find in a folder. What stays is met again by
// git itself.
func removeAll(folder string, patterns ...string) {
	for _, pattern := range patterns {
		names, _ := fs.Glob(os.DirFS(folder), pattern)
		for _, name := range names {
			_ = os.RemoveAll(filepath.Join(folder, filepath.FromSlash(name)))
		}
	}
}
