package gitrepo

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"
)

// Committed is when a commit was made, as its committer says.
func (r *Repo) Committed(ctx context.Context, sha string) (time.Time, error) {
	const op = "read the date of the commit"
	if !IsSHA(sha) {
		return time.Time{}, &Error{Kind: UnknownRef, Op: op}
	}
	out, err := r.output(ctx, process{op: op, args: []string{"cat-file", "commit", sha}})
	if err != nil {
		return time.Time{}, err
	}
	head, _, _ := strings.Cut(string(out), "\n\n")
	for line := range strings.Lines(head) {
		words := strings.Fields(line)
		if len(words) < 4 || words[0] != "committer" {
			continue
		}
		seconds, err := strconv.ParseInt(words[len(words)-2], 10, 64)
		if err == nil && seconds >= 0 && seconds < 1<<36 { // years that have four digits
			return time.Unix(seconds, 0).UTC(), nil
		}
	}
	return time.Time{}, &Error{Kind: Refused, Op: op, Err: errors.New("it has none that could be read")}
}
