package gitrepo

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// A Repo is a bare repository of ours.
type Repo struct {
	git  *Git
	dir  string
	lock *os.File // held while it is changed; see alone
}

// run, output and word are those of Git, in this repository.
func (r *Repo) run(ctx context.Context, p process, read func(io.Reader) error) error {
	return r.git.run(ctx, r.here(p), read)
}

func (r *Repo) output(ctx context.Context, p process) ([]byte, error) {
	return r.git.output(ctx, r.here(p))
}

func (r *Repo) word(ctx context.Context, p process) (string, error) {
	return r.git.word(ctx, r.here(p))
}

func (r *Repo) here(p process) process {
	p.dir, p.lock = r.dir, r.lock
	return p
}

// Open returns the bare repository at dir.
func (g *Git) Open(dir string) (*Repo, error) {
	if _, err := os.Stat(filepath.Join(dir, "HEAD")); err != nil {
		return nil, &Error{Kind: NotFound, Op: "open the repository", Err: errors.New("there is none")}
	}
	return &Repo{git: g, dir: dir}, nil
}

// init makes the repository unless it is there. It appears whole or not at all.
// The caller is alone with it.
func (r *Repo) init(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(r.dir, "HEAD")); err == nil {
		return nil
	}
	folder, name := filepath.Split(r.dir)
	removeAll(folder, name+".new-*")
	scratch, err := os.MkdirTemp(folder, name+".new-*")
	if err != nil {
		return asError("make the repository", err)
	}
	defer os.RemoveAll(scratch)
	_, err = r.git.output(ctx, process{
		op: "make the repository", lock: r.lock, args: []string{"init", "--quiet", "--bare", "--template=", "--initial-branch=main", "--", scratch},
	})
	if err != nil {
		return err
	}
	if err := os.Rename(scratch, r.dir); err != nil {
		return asError("make the repository", err)
	}
	return nil
}

// has says whether the repository has a commit, given by its id or a ref, with its
// tree.
func (r *Repo) has(ctx context.Context, commit string) bool {
	if _, err := os.Stat(r.dir); err != nil {
		return false
	}
	_, err := r.output(ctx, process{op: "look for the commit", args: []string{"cat-file", "-e", commit + "^{tree}"}})
	return err == nil
}

// Resolve finds the commit that a full ref name, such as refs/heads/main, points
// at; ok is false if there is no such ref.
func (r *Repo) Resolve(ctx context.Context, ref string) (sha string, ok bool, err error) {
	if err := checkRef(ref); err != nil {
		return "", false, err
	}
	out, err := r.word(ctx, process{op: "resolve the ref", args: []string{"for-each-ref", "--format=%(refname) %(objectname)", "--", ref}})
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
	out, err := r.output(ctx, process{op: "read the commit", args: []string{"cat-file", "commit", sha}})
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
	var paths []string
	p := process{op: "compare commits", args: []string{"diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff", from, to}}
	err := r.eachName(ctx, p, func(path string) { paths = append(paths, path) })
	return paths, err
}

// eachName gives what git writes, up to each NUL, to take. More than
// Limits.Files are refused.
func (r *Repo) eachName(ctx context.Context, p process, take func(string)) error {
	return r.run(ctx, p, func(out io.Reader) error {
		scanner := bufio.NewScanner(out)
		scanner.Buffer(nil, maxName)
		scanner.Split(splitNUL)
		for count := 1; scanner.Scan(); count++ {
			if count > r.git.limits.Files {
				return &Error{Kind: TooLarge, Op: p.op, Err: errTooLarge}
			}
			take(scanner.Text())
		}
		return scanner.Err()
	})
}
