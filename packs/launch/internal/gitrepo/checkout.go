package gitrepo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Checkout is what became of the files of a commit.
type Checkout struct {
	Paths   []string  // all files written, sorted by their bytes
	Skipped []Skipped // entries that were not written, in the same order
	Ignored []string  // those of Paths that the repository's own .gitignore files name
}

// A Skipped is an entry of a tree that cannot be a file here.
type Skipped struct {
	Path   string // made printable
	Reason string
}

// Checkout writes the files of a commit below dir, which it replaces whole: a
// symbolic link becomes a file that holds its target, submodules and names that
// are no safe names are skipped, no file is executable. If readOnly is set
// nobody can write there afterwards; Remove can remove it.
func (r *Repo) Checkout(ctx context.Context, sha, dir string, readOnly bool) (Checkout, error) {
	if !IsSHA(sha) {
		return Checkout{}, &Error{Kind: UnknownRef, Op: "check out"}
	}
	entries, err := r.entries(ctx, sha)
	if err != nil {
		return Checkout{}, err
	}
	scratch := dir + ".new"
	if err := errors.Join(Remove(scratch), os.MkdirAll(scratch, 0o700)); err != nil {
		return Checkout{}, asError("check out", err)
	}
	defer Remove(scratch)
	done, err := r.write(ctx, entries, scratch)
	if err != nil {
		return Checkout{}, err
	}
	if done.Ignored, err = r.ignored(ctx, scratch, done.Paths); err != nil {
		return Checkout{}, err
	}
	if readOnly {
		err = protect(scratch)
	}
	if err := errors.Join(err, Remove(dir), os.Rename(scratch, dir)); err != nil {
		return Checkout{}, asError("check out", err)
	}
	return done, nil
}

// Paths lists the files of a commit, sorted, and those of them that are symbolic
// links or submodules, which a checkout does not show.
func (r *Repo) Paths(ctx context.Context, sha string) (paths, links []string, err error) {
	if !IsSHA(sha) {
		return nil, nil, &Error{Kind: UnknownRef, Op: "read the tree"}
	}
	entries, err := r.entries(ctx, sha)
	for _, e := range entries {
		paths = append(paths, e.path)
		if e.mode == linkMode || e.mode == moduleMode {
			links = append(links, e.path)
		}
	}
	return paths, links, err
}

// The modes of entries that are no files.
const (
	linkMode   = "120000"
	moduleMode = "160000"
)

// An entry is one file of a tree.
type entry struct {
	mode, id, path string
	size           int64
}

// entries reads the tree of a commit, as far as the limits go: a tree of few
// objects can have very many files.
func (r *Repo) entries(ctx context.Context, sha string) ([]entry, error) {
	const op = "read the tree"
	var list []entry
	var total int64
	err := r.run(ctx, process{op: op, args: []string{"ls-tree", "-r", "-z", "-l", "--full-tree", sha}}, func(out io.Reader) error {
		scanner := bufio.NewScanner(out)
		scanner.Buffer(nil, maxName)
		scanner.Split(splitNUL)
		for scanner.Scan() {
			e, err := parseEntry(scanner.Text())
			if err != nil {
				return err
			}
			total += e.size
			list = append(list, e)
			if len(list) > r.git.limits.Files || total > r.git.limits.Bytes {
				return &Error{Kind: TooLarge, Op: op, Err: errTooLarge}
			}
		}
		return scanner.Err()
	})
	return list, err
}

// maxName bounds one name that git writes, with what stands before it.
const maxName = 1 << 20

// splitNUL splits at NUL.
func splitNUL(data []byte, atEOF bool) (int, []byte, error) {
	if at := bytes.IndexByte(data, 0); at >= 0 {
		return at + 1, data[:at], nil
	}
	if atEOF && len(data) > 0 {
		return 0, nil, io.ErrUnexpectedEOF
	}
	return 0, nil, nil
}

// parseEntry reads "mode type id size<TAB>path".
func parseEntry(line string) (entry, error) {
	head, path, ok := strings.Cut(line, "\t")
	fields := strings.Fields(head)
	if !ok || len(fields) != 4 {
		return entry{}, errors.New("unexpected line of a tree")
	}
	size, err := strconv.ParseInt(fields[3], 10, 64)
	if fields[3] == "-" {
		size, err = 0, nil
	}
	return entry{fields[0], fields[2], path, size}, err
}

// whyNot says why an entry cannot be a file here, or nothing.
func (e entry) whyNot() string {
	switch {
	case e.mode == moduleMode:
		return "a submodule"
	case !utf8.ValidString(e.path):
		return "the name is not UTF-8"
	case len(e.path) > 1024:
		return "the name is too long"
	case strings.ContainsFunc(e.path, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' }):
		return "the name has characters that names should not have"
	}
	for segment := range strings.SplitSeq(e.path, "/") {
		switch {
		case segment == "" || segment == "." || segment == "..":
			return "the name leads elsewhere"
		case strings.EqualFold(segment, ".git"), strings.EqualFold(segment, "git~1"):
			return "the name is git's own"
		case len(segment) > 255:
			return "the name is too long"
		}
	}
	return ""
}

// write writes entries below dir.
func (r *Repo) write(ctx context.Context, entries []entry, dir string) (Checkout, error) {
	var done Checkout
	var wanted []entry
	var ids strings.Builder
	for _, e := range entries {
		if reason := e.whyNot(); reason != "" {
			done.Skipped = append(done.Skipped, Skipped{strings.Trim(strconv.Quote(e.path), `"`), reason})
			continue
		}
		wanted = append(wanted, e)
		ids.WriteString(e.id + "\n")
	}
	if len(wanted) == 0 {
		return done, nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return done, asError("check out", err)
	}
	defer root.Close()
	p := process{op: "read the files", args: []string{"cat-file", "--batch", "--buffer"}, stdin: strings.NewReader(ids.String())}
	err = r.run(ctx, p, func(out io.Reader) error {
		objects := bufio.NewReaderSize(out, 1<<16)
		for _, e := range wanted {
			written, err := writeObject(root, e, objects)
			switch {
			case err != nil:
				return err
			case written:
				done.Paths = append(done.Paths, e.path)
			default:
				done.Skipped = append(done.Skipped, Skipped{e.path, "another entry is in its place"})
			}
		}
		return nil
	})
	return done, err
}

// writeObject takes the next object, which is that of e, and makes a file of it.
// It is false for an entry whose place is taken.
func writeObject(root *os.Root, e entry, objects *bufio.Reader) (bool, error) {
	header, err := objects.ReadString('\n')
	if err != nil {
		return false, err
	}
	if want := fmt.Sprintf("%s blob %d\n", e.id, e.size); header != want {
		return false, errors.New("an object is missing or not what the tree says")
	}
	file, err := create(root, e.path)
	taken := errors.Is(err, fs.ErrExist) || errors.Is(err, errNotDir)
	if err != nil && !taken {
		return false, err
	}
	target := io.Discard
	if file != nil {
		target = file
	}
	_, err = io.CopyN(target, objects, e.size)
	if file != nil {
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return false, err
	}
	_, err = objects.Discard(1)
	return !taken, err
}

func create(root *os.Root, path string) (*os.File, error) {
	if dir := filepath.Dir(filepath.FromSlash(path)); dir != "." {
		if err := root.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	return root.OpenFile(filepath.FromSlash(path), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
}

// ignored asks git which of the files below dir their .gitignore files name.
func (r *Repo) ignored(ctx context.Context, dir string, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	out, err := r.output(ctx, process{
		op: "read .gitignore", stdin: strings.NewReader(strings.Join(paths, "\x00") + "\x00"),
		args: []string{"--work-tree=" + dir, "check-ignore", "--no-index", "-z", "--stdin"},
	})
	if exitCode(err) == 1 { // none
		return nil, nil
	}
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), nil
}
