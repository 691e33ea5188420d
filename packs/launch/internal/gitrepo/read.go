package gitrepo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ReadFiles reads files of a commit. Those that it does not have, and folders,
// are not in the answer. Together they may have Limits.Output bytes.
func (r *Repo) ReadFiles(ctx context.Context, sha string, paths []string) (map[string]string, error) {
	const op = "read the files"
	if !IsSHA(sha) {
		return nil, &Error{Kind: UnknownRef, Op: op}
	}
	var names strings.Builder
	for _, path := range paths {
		if reason := (entry{path: path}).whyNot(); reason != "" {
			return nil, &Error{Kind: Refused, Op: op, Err: fmt.Errorf("%q: %s", path, reason)}
		}
		names.WriteString(sha + ":" + path + "\n")
	}
	found := map[string]string{}
	left := r.git.limits.Output
	p := process{op: op, args: []string{"cat-file", "--batch"}, stdin: strings.NewReader(names.String())}
	err := r.run(ctx, p, func(out io.Reader) error {
		objects := bufio.NewReader(out)
		for _, path := range paths {
			header, err := objects.ReadString('\n')
			if err != nil {
				return err
			}
			fields := strings.Fields(header)
			if strings.HasSuffix(header, " missing\n") || len(fields) != 3 {
				continue
			}
			size, err := strconv.ParseInt(fields[2], 10, 64)
			if left -= size; err != nil || left < 0 {
				return &Error{Kind: TooLarge, Op: op, Err: errors.New("the files are too large")}
			}
			content := make([]byte, size+1) // and the newline behind it
			if _, err := io.ReadFull(objects, content); err != nil {
				return err
			}
			if fields[1] == "blob" {
				found[path] = string(content[:size])
			}
		}
		return nil
	})
	return found, err
}
