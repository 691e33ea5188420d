package gitrepo

import (
	"context"
	"errors"
	"regexp"
	"strings"
)

// Refs are what a remote says of itself.
type Refs struct {
	Head          string // the commit of HEAD; empty for an empty repository
	DefaultBranch string // what HEAD points at, such as main
	branches      map[string]string
	tags          map[string]string
}

// LsRemote asks a remote for its refs. It needs no local repository.
func (g *Git) LsRemote(ctx context.Context, url string) (Refs, error) {
	const op = "ask the remote for its refs"
	if err := g.admit(ctx, url); err != nil {
		return Refs{}, err
	}
	out, err := g.output(ctx, process{
		op: op, time: g.limits.LsRemote,
		args: []string{"ls-remote", "--symref", "--", url, "HEAD", "refs/heads/*", "refs/tags/*"},
	})
	if err != nil {
		return Refs{}, err
	}
	if longIDs.Match(out) {
		return Refs{}, &Error{Kind: Unsupported, Op: op, Err: errors.New("the repository names its objects by SHA-256, and only SHA-1 can be read")}
	}
	return parseRefs(string(out)), nil
}

// longIDs are those of a repository of another object format.
var longIDs = regexp.MustCompile(`(?m)^[0-9a-f]{64}\t`)

func parseRefs(text string) Refs {
	refs := Refs{branches: map[string]string{}, tags: map[string]string{}}
	for line := range strings.Lines(text) {
		value, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		target, isSymref := strings.CutPrefix(value, "ref: ")
		switch {
		case !ok:
		case isSymref && name == "HEAD":
			refs.DefaultBranch = strings.TrimPrefix(target, "refs/heads/")
		case isSymref || !IsSHA(value):
		case name == "HEAD":
			refs.Head = value
		case strings.HasPrefix(name, "refs/heads/"):
			refs.branches[strings.TrimPrefix(name, "refs/heads/")] = value
		case strings.HasPrefix(name, "refs/tags/"):
			refs.addTag(strings.TrimPrefix(name, "refs/tags/"), value)
		}
	}
	return refs
}

// addTag lets the commit behind an annotated tag, which has ^{} at its end, win
// over the tag itself.
func (r Refs) addTag(name, sha string) {
	plain, peeled := strings.CutSuffix(name, "^{}")
	if _, known := r.tags[plain]; peeled || !known {
		r.tags[plain] = sha
	}
}

// Resolve finds the commit of a branch, a tag, a full ref name, or of HEAD,
// which an empty ref stands for. A branch wins over a tag of the same name.
func (r Refs) Resolve(ref string) (sha string, ok bool) {
	branch, isBranch := strings.CutPrefix(ref, "refs/heads/")
	tag, isTag := strings.CutPrefix(ref, "refs/tags/")
	switch {
	case ref == "" || ref == "HEAD":
		return r.Head, r.Head != ""
	case !isTag && r.branches[branch] != "":
		return r.branches[branch], true
	case !isBranch && r.tags[tag] != "":
		return r.tags[tag], true
	}
	return "", false
}
