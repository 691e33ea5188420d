package gitrepo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// A Repo is a bare repository of ours.
type Repo struct {
	git *Git
	dir string
}

// Open returns the bare repository at dir.
func (g *Git) Open(dir string) (*Repo, error) {
	if _, err := os.Stat(filepath.Join(dir, "HEAD")); err != nil {
		return nil, &Error{Kind: NotFound, Op: "open the repository", Err: errors.New("there is none")}
	}
	return &Repo{git: g, dir: dir}, nil
}

// init makes the repository unless it is there. It appears whole or not at all.
func (r *Repo) init(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(r.dir, "HEAD")); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(r.dir), 0o700); err != nil {
		return asError("make the repository", err)
	}
	scratch, err := os.MkdirTemp(filepath.Dir(r.dir), ".new-*")
	if err != nil {
		return asError("make the repository", err)
	}
	defer os.RemoveAll(scratch)
	_, err = r.git.output(ctx, process{
		op: "make the repository", args: []string{"init", "--quiet", "--bare", "--template=", "--initial-branch=main", "--", scratch},
	})
	if err != nil {
		return err
	}
	if err := os.Rename(scratch, r.dir); err != nil {
		if _, there := os.Stat(filepath.Join(r.dir, "HEAD")); there == nil {
			return nil // another process was faster
		}
		return asError("make the repository", err)
	}
	return nil
}

// has says whether the repository has a commit with its tree.
func (r *Repo) has(ctx context.Context, sha string) bool {
	if _, err := os.Stat(r.dir); err != nil {
		return false
	}
	_, err := r.git.output(ctx, process{op: "look for the commit", dir: r.dir, args: []string{"cat-file", "-e", sha + "^{tree}"}})
	return err == nil
}

// Resolve finds the commit that a full ref name, such as refs/heads/main, points
// at; ok is false if there is no such ref.
func (r *Repo) Resolve(ctx context.Context, ref string) (sha string, ok bool, err error) {
	if err := checkRef(ref); err != nil {
		return "", false, err
	}
	out, err := r.git.word(ctx, process{op: "resolve the ref", dir: r.dir, args: []string{"for-each-ref", "--format=%(refname) %(objectname)", "--", ref}})
	if err != nil {
		return "", false, err
	}
	for line := range strings.Lines(out) {
		if name, id, _ := strings.Cut(strings.TrimSpace(line), " "); name == ref {
			return id, true, nil
		}
	}
	return "", false, nil
}

// A CommitInfo is what a commit says.
type CommitInfo struct {
	Tree    string
	Parents []string
	Message string
}

// Info reads a commit.
func (r *Repo) Info(ctx context.Context, sha string) (CommitInfo, error) {
	if !IsSHA(sha) {
		return CommitInfo{}, &Error{Kind: UnknownRef, Op: "read the commit"}
	}
	out, err := r.git.output(ctx, process{op: "read the commit", dir: r.dir, args: []string{"cat-file", "commit", sha}})
	if err != nil {
		return CommitInfo{}, err
	}
	head, message, _ := strings.Cut(string(out), "\n\n")
	info := CommitInfo{Message: message}
	for line := range strings.Lines(head) {
		switch name, value, _ := strings.Cut(strings.TrimSpace(line), " "); name {
		case "tree":
			info.Tree = value
		case "parent":
			info.Parents = append(info.Parents, value)
		}
	}
	return info, nil
}

// Changed lists the paths that differ between two commits, sorted.
func (r *Repo) Changed(ctx context.Context, from, to string) ([]string, error) {
	if !IsSHA(from) || !IsSHA(to) {
		return nil, &Error{Kind: UnknownRef, Op: "compare commits"}
	}
	out, err := r.git.output(ctx, process{
		op: "compare commits", dir: r.dir, args: []string{"diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff", from, to},
	})
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), nil
}
