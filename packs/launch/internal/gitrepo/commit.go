package gitrepo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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
	r, done, err := r.alone(ctx)
	if err != nil {
		return "", "", err
	}
	defer done()
	return r.commit(ctx, c)
}

// commit is Commit for a caller who is alone with the repository.
func (r *Repo) commit(ctx context.Context, c NewCommit) (sha, tree string, err error) {
	r.tidyCommit()
	scratch, err := os.MkdirTemp(r.dir, scratchPattern)
	if err != nil {
		return "", "", asError("make the commit", err)
	}
	defer os.RemoveAll(scratch)
	index := []string{"GIT_INDEX_FILE=" + filepath.Join(scratch, "index")}
	if c.Base != "" {
		if _, err := r.output(ctx, process{op: "read the base", env: index, args: []string{"read-tree", c.Base}}); err != nil {
			return "", "", err
		}
	}
	if err := r.stage(ctx, scratch, index, c.Changes); err != nil {
		return "", "", err
	}
	tree, err = r.word(ctx, process{op: "write the tree", env: index, args: []string{"write-tree"}})
	if err != nil {
		return "", "", err
	}
	args := []string{"commit-tree", tree}
	if c.Base != "" {
		args = append(args, "-p", c.Base)
	}
	sha, err = r.word(ctx, process{op: "make the commit", env: c.identity(), args: args, stdin: strings.NewReader(c.Message)})
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

// stage puts changes into an index. Scratch is a folder for their contents.
func (r *Repo) stage(ctx context.Context, scratch string, index []string, changes []Change) error {
	if len(changes) == 0 {
		return nil
	}
	modes, err := r.modes(ctx, index, changes)
	if err != nil {
		return err
	}
	ids, err := r.store(ctx, scratch, changes)
	if err != nil {
		return err
	}
	var info strings.Builder
	for i, change := range changes {
		mode := cmp.Or(modes[change.Path], "100644")
		switch {
		case change.Delete:
			mode = "0"
		case mode == linkMode || mode == moduleMode:
			return &Error{Kind: Refused, Op: "stage a file", Err: fmt.Errorf("%q is not a plain file in the base", change.Path)}
		}
		fmt.Fprintf(&info, "%s %s\t%s\x00", mode, ids[i], change.Path)
	}
	_, err = r.output(ctx, process{
		op: "stage the files", env: index, args: []string{"update-index", "-z", "--index-info"}, stdin: strings.NewReader(info.String()),
	})
	return err
}

// store makes objects of the contents of changes, and returns their ids. It takes
// one git for all: the contents go through files.
func (r *Repo) store(ctx context.Context, scratch string, changes []Change) ([]string, error) {
	const op = "store the files"
	ids, at := make([]string, len(changes)), []int(nil)
	var names strings.Builder
	for i, change := range changes {
		if ids[i] = zeroSHA; change.Delete {
			continue
		}
		name := filepath.Join(scratch, strconv.Itoa(i))
		if err := os.WriteFile(name, change.Content, 0o600); err != nil {
			return nil, asError(op, err)
		}
		names.WriteString(name + "\n")
		at = append(at, i)
	}
	out, err := r.word(ctx, process{
		op: op, args: []string{"hash-object", "-w", "-t", "blob", "--no-filters", "--stdin-paths"}, stdin: strings.NewReader(names.String()),
	})
	stored := strings.Fields(out)
	if err == nil && len(stored) != len(at) {
		err = &Error{Kind: Failed, Op: op, Err: errors.New("git stored another number of files")}
	}
	if err != nil {
		return nil, err
	}
	for n, i := range at {
		ids[i] = stored[n]
	}
	return ids, nil
}

// modes reads the modes that an index has for the files of changes. All of the
// index is looked at, since there can be more changes than a command line takes.
func (r *Repo) modes(ctx context.Context, index []string, changes []Change) (map[string]string, error) {
	wanted := map[string]bool{}
	for _, change := range changes {
		wanted[change.Path] = true
	}
	modes := map[string]string{}
	p := process{op: "read the base", env: index, args: []string{"ls-files", "-z", "--stage"}}
	err := r.eachName(ctx, p, func(line string) {
		head, path, _ := strings.Cut(line, "\t")
		if mode, _, _ := strings.Cut(head, " "); wanted[path] {
			modes[path] = mode
		}
	})
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
	r, done, err := r.alone(ctx)
	if err != nil {
		return err
	}
	defer done()
	return r.updateRef(ctx, ref, sha, old)
}

// updateRef is UpdateRef for a caller who is alone with the repository: a lock of
// the ref belongs to nobody.
func (r *Repo) updateRef(ctx context.Context, ref, sha, old string) error {
	if err := os.Remove(filepath.Join(r.dir, filepath.FromSlash(ref)+".lock")); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errNotDir) {
		return asError("move the ref", err)
	}
	_, err := r.output(ctx, process{op: "move the ref", args: []string{"update-ref", ref, sha, cmp.Or(old, zeroSHA)}})
	return err
}

// Branches lists the branches below a prefix such as launch/, sorted.
func (r *Repo) Branches(ctx context.Context, prefix string) ([]string, error) {
	out, err := r.output(ctx, process{op: "list the branches", args: []string{"for-each-ref", "--format=%(refname)", "refs/heads/"}})
	var names []string
	for line := range strings.Lines(string(out)) {
		if name := strings.TrimPrefix(strings.TrimSpace(line), "refs/heads/"); strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, err
}
