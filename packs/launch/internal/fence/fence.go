// Package fence decides which files of a site a run may touch (9.1).
//
// Fence.Decide is the one function that does so, for every stage, tool, fixer
// and the commit service. Site is the one way to the files behind it: whoever
// has a Site and no other handle cannot write elsewhere.
package fence

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// A Code says which rule a path breaks.
type Code string

// The codes, in the order in which the rules are applied.
const (
	Traversal  Code = "POLICY_PATH_TRAVERSAL"   // it leads out of the site by its name
	Suspicious Code = "POLICY_PATH_SUSPICIOUS"  // its name means different things to different readers
	NotAllowed Code = "POLICY_PATH_NOT_ALLOWED" // no entry allows it
	Escape     Code = "POLICY_PATH_ESCAPE"      // a link on the way leads somewhere else
)

// A Refusal is the fence's no.
type Refusal struct {
	Code   Code
	Path   string
	Reason string
}

func (r *Refusal) Error() string { return fmt.Sprintf("%s: path %q %s", r.Code, r.Path, r.Reason) }

// Refused returns the refusal in an error, if there is one.
func Refused(err error) (*Refusal, bool) {
	var refusal *Refusal
	return refusal, errors.As(err, &refusal)
}

// A Fence is a list of allowed paths. The zero Fence allows nothing.
type Fence struct {
	entries []entry
	links   map[string]bool
}

// New makes a fence of allowed_paths. The error joins an *EntryError for each
// entry that is not valid; an empty list is not valid either (C-32).
func New(allowedPaths []string) (*Fence, error) {
	if len(allowedPaths) == 0 {
		return nil, &EntryError{Reason: "the list is empty"}
	}
	f := &Fence{}
	var faults []error
	for _, text := range allowedPaths {
		e, err := parseEntry(text)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		f.entries = append(f.entries, e)
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return f, nil
}

// Entries are the allowed paths as they were given.
func (f *Fence) Entries() []string {
	texts := make([]string, len(f.entries))
	for i, e := range f.entries {
		texts[i] = e.text
	}
	return texts
}

// Around returns the fence with no way through paths that are symbolic links or
// submodules of the site's repository: a checkout does not show them as such.
func (f *Fence) Around(links []string) *Fence {
	around := &Fence{entries: f.entries, links: map[string]bool{}}
	for _, link := range links {
		around.links[link] = true
	}
	return around
}

// throughLink says whether a path is a link of the repository, or leads through
// one.
func (f *Fence) throughLink(name string) bool {
	for end := len(name); len(f.links) > 0 && end >= 0; end = strings.LastIndexByte(name[:end], '/') {
		if f.links[name[:end]] {
			return true
		}
	}
	return false
}

// Decide returns nil if a file may be read, written, created, deleted or renamed
// for a run, and a *Refusal otherwise.
//
// Tree is what the path is to be applied to. It is asked for the names on the
// way to the file, and for nothing that the fence does not allow. Without a tree
// only the name is judged, which is enough for a plan but not for a write.
func (f *Fence) Decide(tree fs.FS, name string) error {
	if err := judgeName(name); err != nil {
		return err
	}
	if reason := f.protected(name); reason != "" {
		return &Refusal{NotAllowed, name, reason}
	}
	if !slices.ContainsFunc(f.entries, func(e entry) bool { return e.allows(name) }) {
		return &Refusal{NotAllowed, name, "is not in allowed_paths"}
	}
	if f.throughLink(name) {
		return &Refusal{Escape, name, "goes through a symbolic link or a submodule"}
	}
	if tree == nil {
		return nil
	}
	return judgeWay(tree, name, false)
}

// decideDir returns nil if the names in a directory may be looked at.
func (f *Fence) decideDir(tree fs.FS, dir string) error {
	if err := judgeName(dir); err != nil {
		return err
	}
	if !f.Reaches(dir) {
		return &Refusal{NotAllowed, dir, "has nothing below it that is in allowed_paths"}
	}
	if f.throughLink(dir) {
		return &Refusal{Escape, dir, "goes through a symbolic link or a submodule"}
	}
	return judgeWay(tree, dir, true)
}

// Reaches says whether the fence allows any file below a directory.
func (f *Fence) Reaches(dir string) bool {
	segments := strings.Split(strings.Trim(dir, "/"), "/")
	return slices.ContainsFunc(f.entries, func(e entry) bool { return e.reaches(segments) })
}

// judgeWay walks to a file or directory by the lists of names in its directories. It refuses
// links, files in place of directories, and names that differ from existing
// ones by letter case alone.
func judgeWay(tree fs.FS, name string, wantDir bool) error {
	dir := "."
	segments := strings.Split(name, "/")
	for i, segment := range segments {
		there, err := fs.ReadDir(tree, dir)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // nothing is there yet, and so nothing is in the way
		}
		if err != nil {
			return err
		}
		found, err := pick(there, segment, name)
		if err != nil || found == nil {
			return err
		}
		if err := judgeKind(found.Type(), wantDir || i < len(segments)-1, name); err != nil {
			return err
		}
		dir = path.Join(dir, segment)
	}
	return nil
}

// pick finds a name in a directory.
func pick(there []fs.DirEntry, segment, name string) (found fs.DirEntry, err error) {
	for _, entry := range there {
		if entry.Name() == segment {
			found = entry
		} else if strings.EqualFold(entry.Name(), segment) {
			return nil, &Refusal{NotAllowed, name, fmt.Sprintf("differs from the existing %q by letter case alone", entry.Name())}
		}
	}
	return found, nil
}

func judgeKind(kind fs.FileMode, wantDir bool, name string) error {
	switch {
	case kind&fs.ModeSymlink != 0:
		return &Refusal{Escape, name, "goes through a symbolic link"}
	case kind.IsDir() && !wantDir:
		return &Refusal{NotAllowed, name, "is a directory"}
	case !kind.IsDir() && wantDir:
		return &Refusal{NotAllowed, name, "has a file where it needs a directory"}
	case !kind.IsDir() && !kind.IsRegular():
		return &Refusal{Escape, name, "is not a regular file"}
	}
	return nil
}
