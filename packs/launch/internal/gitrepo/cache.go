package gitrepo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"path/filepath"
)

// A Cache keeps one bare repository for each address, which all runs share.
// Several processes may use the same folder.
type Cache struct {
	git *Git
	dir string
}

// NewCache returns the cache in dir, which is made when it is needed.
func NewCache(git *Git, dir string) *Cache { return &Cache{git: git, dir: dir} }

// A Snapshot is a commit that the cache has, and what its remote said.
type Snapshot struct {
	Repo         *Repo
	URL          string
	RequestedRef string
	SHA          string
	Refs         Refs
}

// Fetch resolves ref, which is a commit id, a branch, a tag, or empty for the
// default branch, and makes sure that the cache has the commit. At any time one
// fetch per address runs; who waited for it need not fetch again.
func (c *Cache) Fetch(ctx context.Context, url, ref string) (Snapshot, error) {
	if ref != "" {
		if err := checkRef(ref); err != nil {
			return Snapshot{}, err
		}
	}
	refs, err := c.git.LsRemote(ctx, url)
	if err != nil {
		return Snapshot{}, err
	}
	sha, known := refs.Resolve(ref)
	switch {
	case known:
	case IsSHA(ref):
		sha = ref
	case refs.Head == "" && len(refs.branches) == 0:
		return Snapshot{}, &Error{Kind: Empty, Op: "resolve the ref", Err: errors.New("the repository has no commit")}
	default:
		return Snapshot{}, &Error{Kind: UnknownRef, Op: "resolve the ref", Err: errors.New("the repository has no such branch or tag")}
	}
	repo, err := c.ensure(ctx, url, sha)
	if err != nil {
		return Snapshot{}, err
	}
	return Snapshot{Repo: repo, URL: url, RequestedRef: ref, SHA: sha, Refs: refs}, nil
}

func (c *Cache) ensure(ctx context.Context, url, sha string) (*Repo, error) {
	sum := sha256.Sum256([]byte(url))
	repo := &Repo{git: c.git, dir: filepath.Join(c.dir, hex.EncodeToString(sum[:])+".git")}
	return repo, repo.Fetch(ctx, url, sha)
}

// Fetch makes sure that the repository has a commit of the one at url. At any
// time one fetch per repository runs, also of several processes.
func (r *Repo) Fetch(ctx context.Context, url, sha string) error {
	if !IsSHA(sha) {
		return &Error{Kind: UnknownRef, Op: "fetch the repository"}
	}
	if r.has(ctx, kept(sha)) {
		return nil
	}
	if err := r.git.admit(ctx, url); err != nil {
		return err
	}
	r, done, err := r.alone(ctx)
	if err != nil {
		return err
	}
	defer done()
	if r.has(ctx, kept(sha)) {
		return nil
	}
	if err := r.init(ctx); err != nil {
		return err
	}
	if err := r.fetch(ctx, url, sha); err != nil {
		return err
	}
	return r.keep(ctx, sha)
}

// fetch gets one commit without its history, or everything from remotes that do
// not give single commits away.
func (r *Repo) fetch(ctx context.Context, url, sha string) error {
	get := func(args ...string) error {
		all := append([]string{"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"}, args...)
		return r.watched(ctx, process{op: "fetch the repository", args: all})
	}
	r.tidyFetch()
	err := get("--depth=1", "--", url, sha)
	if err != nil && KindOf(err) != Failed && KindOf(err) != UnknownRef {
		return err
	}
	if err == nil && r.has(ctx, sha) {
		return nil
	}
	r.tidyFetch()
	if err := get("--", url, "+refs/heads/*:refs/remote/heads/*", "+refs/tags/*:refs/remote/tags/*"); err != nil {
		return err
	}
	if !r.has(ctx, sha) {
		return &Error{Kind: UnknownRef, Op: "fetch the repository", Err: errors.New("the repository has no such commit")}
	}
	return nil
}

// watched runs git while it looks at how the repository grows.
func (r *Repo) watched(ctx context.Context, p process) error {
	watching, stop := context.WithCancelCause(ctx)
	done := make(chan struct{})
	max := r.size() + r.git.limits.Bytes // before git starts
	go func() {
		defer close(done)
		if r.outgrows(watching, max) {
			stop(errTooLarge)
		}
	}()
	err := r.run(watching, p, func(out io.Reader) error { _, err := io.Copy(io.Discard, out); return err })
	tooLarge := errors.Is(context.Cause(watching), errTooLarge)
	stop(nil)
	<-done
	if tooLarge {
		r.tidyFetch()
		return &Error{Kind: TooLarge, Op: p.op, Err: errTooLarge}
	}
	return err
}

// kept is the ref of a commit that was fetched to the end. It also keeps the commit
// from being collected.
func kept(sha string) string { return "refs/launch/" + sha }

// keep gives a commit its ref.
func (r *Repo) keep(ctx context.Context, sha string) error {
	_, err := r.output(ctx, process{op: "keep the commit", args: []string{"update-ref", kept(sha), sha}})
	return err
}
