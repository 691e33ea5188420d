package gitrepo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Change is what a commit does to one file.
type Change struct {
	Path    string
	Content []byte
	Delete  bool
}

// A NewCommit is a commit to be made. Equal ones give the same id (11.4).
type NewCommit struct {
	Base    string // the parent; empty for a first commit
	Changes []Change
	Message string
	Author  string
	Email   string
	When    time.Time
}

// Commit makes a commit without a worktree: the tree of the base is read into an
// index of its own, changed there, and written. No ref moves, see UpdateRef.
// Files keep the mode they have in the base.
func (r *Repo) Commit(ctx context.Context, c NewCommit) (sha, tree string, err error) {
	if err := c.check(); err != nil {
		return "", "", &Error{Kind: Refused, Op: "make the commit", Err: err}
	}
	scratch, err := os.MkdirTemp("", "launch-index-*")
	if err != nil {
		return "", "", asError("make the commit", err)
	}
	defer os.RemoveAll(scratch)
	index := []string{"GIT_INDEX_FILE=" + filepath.Join(scratch, "index")}
	if c.Base != "" {
		if _, err := r.git.output(ctx, process{op: "read the base", dir: r.dir, env: index, args: []string{"read-tree", c.Base}}); err != nil {
			return "", "", err
		}
	}
	if err := r.stage(ctx, index, c.Changes); err != nil {
		return "", "", err
	}
	tree, err = r.git.word(ctx, process{op: "write the tree", dir: r.dir, env: index, args: []string{"write-tree"}})
	if err != nil {
		return "", "", err
	}
	args := []string{"commit-tree", tree}
	if c.Base != "" {
		args = append(args, "-p", c.Base)
	}
	sha, err = r.git.word(ctx, process{op: "make the commit", dir: r.dir, env: c.identity(), args: args, stdin: strings.NewReader(c.Message)})
	return sha, tree, err
}

// check refuses what git would take for something else.
func (c NewCommit) check() error {
	if c.Base != "" && !IsSHA(c.Base) {
		return errors.New("the base is no commit id")
	}
	if c.Author == "" || strings.ContainsAny(c.Author+c.Email, "<>\n\x00") || strings.Contains(c.Message, "\x00") {
		return errors.New("the author or the message is malformed")
	}
	for _, change := range c.Changes {
		if reason := (entry{path: change.Path}).whyNot(); reason != "" {
			return fmt.Errorf("%q: %s", change.Path, reason)
		}
	}
	return nil
}

func (c NewCommit) identity() []string {
	date := fmt.Sprintf("@%d +0000", c.When.Unix())
	return []string{
		"GIT_AUTHOR_NAME=" + c.Author, "GIT_AUTHOR_EMAIL=" + c.Email, "GIT_AUTHOR_DATE=" + date,
		"GIT_COMMITTER_NAME=" + c.Author, "GIT_COMMITTER_EMAIL=" + c.Email, "GIT_COMMITTER_DATE=" + date,
	}
}

// stage puts changes into an index.
func (r *Repo) stage(ctx context.Context, index []string, changes []Change) error {
	if len(changes) == 0 {
		return nil
	}
	modes, err := r.modes(ctx, index)
	if err != nil {
		return err
	}
	var info strings.Builder
	for _, change := range changes {
		mode, id := cmp.Or(modes[change.Path], "100644"), ""
		switch {
		case change.Delete:
			mode, id = "0", zeroSHA
		case mode == "120000" || mode == "160000":
			return &Error{Kind: Refused, Op: "stage a file", Err: fmt.Errorf("%q is not a plain file in the base", change.Path)}
		default:
			id, err = r.git.word(ctx, process{
				op: "store a file", dir: r.dir, args: []string{"hash-object", "-w", "-t", "blob", "--stdin"}, stdin: bytes.NewReader(change.Content),
			})
			if err != nil {
				return err
			}
		}
		fmt.Fprintf(&info, "%s %s\t%s\x00", mode, id, change.Path)
	}
	_, err = r.git.output(ctx, process{
		op: "stage the files", dir: r.dir, env: index, args: []string{"update-index", "-z", "--index-info"}, stdin: strings.NewReader(info.String()),
	})
	return err
}

// modes reads the modes of the files in an index.
func (r *Repo) modes(ctx context.Context, index []string) (map[string]string, error) {
	out, err := r.git.output(ctx, process{op: "read the base", dir: r.dir, env: index, args: []string{"ls-files", "-z", "--stage"}})
	modes := map[string]string{}
	for line := range strings.SplitSeq(string(out), "\x00") {
		head, path, _ := strings.Cut(line, "\t")
		mode, _, _ := strings.Cut(head, " ")
		modes[path] = mode
	}
	return modes, err
}

// UpdateRef moves a branch or another full ref name from old to sha. An empty
// old demands that there is no such ref. Of several writers with the same old
// one wins; the others get an error of kind RefMoved.
func (r *Repo) UpdateRef(ctx context.Context, ref, sha, old string) error {
	if err := checkRef(ref); err != nil {
		return err
	}
	if !strings.HasPrefix(ref, "refs/") || !IsSHA(sha) || old != "" && !IsSHA(old) {
		return &Error{Kind: Refused, Op: "move the ref"}
	}
	_, err := r.git.output(ctx, process{op: "move the ref", dir: r.dir, args: []string{"update-ref", ref, sha, cmp.Or(old, zeroSHA)}})
	return err
}

// Branches lists the branches below a prefix such as launch/, sorted.
func (r *Repo) Branches(ctx context.Context, prefix string) ([]string, error) {
	out, err := r.git.output(ctx, process{op: "list the branches", dir: r.dir, args: []string{"for-each-ref", "--format=%(refname)", "refs/heads/"}})
	var names []string
	for line := range strings.Lines(string(out)) {
		if name := strings.TrimPrefix(strings.TrimSpace(line), "refs/heads/"); strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, err
}
