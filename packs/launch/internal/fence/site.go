package fence

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// A Site is the working tree of a site behind its fence. Every method asks
// Fence.Decide first, and no method follows a symbolic link.
//
// It is safe for concurrent use as far as calls are about different files.
type Site struct {
	root  *os.Root
	fence *Fence
}

// NewSite puts a fence around a directory. The caller keeps the root and closes
// it.
func NewSite(root *os.Root, fence *Fence) *Site { return &Site{root, fence} }

// Fence is the fence around the site.
func (s *Site) Fence() *Fence { return s.fence }

// Decide is the fence's decision about a file of this site.
func (s *Site) Decide(name string) error { return s.fence.Decide(s.root.FS(), name) }

// Read returns a file that the fence allows, up to a number of bytes. A longer
// file is cut after limit+1 bytes, so that the caller can tell.
func (s *Site) Read(name string, limit int64) ([]byte, error) {
	dir, err := s.open(name, false)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	file, err := openRegular(dir, path.Base(name))
	if err != nil {
		return nil, failed(name, err)
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, limit+1))
}

// openRegular opens a file and makes sure that it is the one that stands there,
// and not one that a link leads to.
func openRegular(dir *os.Root, base string) (*os.File, error) {
	seen, err := dir.Lstat(base)
	if err != nil {
		return nil, err
	}
	if !seen.Mode().IsRegular() {
		return nil, errMoved
	}
	file, err := dir.Open(base)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || !os.SameFile(seen, info) {
		file.Close()
		return nil, errMoved
	}
	return file, nil
}

// Write replaces or creates a file as a whole. Directories on the way are made.
func (s *Site) Write(name string, content []byte) (err error) {
	dir, err := s.open(name, true)
	if err != nil {
		return err
	}
	defer dir.Close()
	base := path.Base(name)
	mode := fs.FileMode(0o600) // 5.5
	if info, err := dir.Lstat(base); err == nil {
		mode = info.Mode().Perm()
	}
	draft := ".launch-" + rand.Text()
	defer func() {
		if err != nil {
			dir.Remove(draft)
			err = failed(name, err)
		}
	}()
	file, err := dir.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	return dir.Rename(draft, base)
}

// Remove deletes a file, and the directories above it that are empty then and
// were reached through the fence.
func (s *Site) Remove(name string) error {
	dir, err := s.open(name, false)
	if err != nil {
		return err
	}
	err = dir.Remove(path.Base(name))
	dir.Close()
	if err != nil {
		return failed(name, err)
	}
	for dir := path.Dir(name); dir != "." && s.root.Remove(dir) == nil; dir = path.Dir(dir) {
	}
	return nil
}

// Names lists the files in a directory that the fence allows, sorted. A
// directory that does not exist has none.
func (s *Site) Names(dir string) ([]string, error) {
	if err := s.fence.decideDir(s.root.FS(), dir); err != nil {
		return nil, err
	}
	opened, err := s.walk(strings.Split(dir, "/"), false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, failed(dir, err)
	}
	defer opened.Close()
	entries, err := fs.ReadDir(opened.FS(), ".")
	if err != nil {
		return nil, failed(dir, err)
	}
	var names []string
	for _, entry := range entries {
		if entry.Type().IsRegular() && s.fence.Decide(nil, path.Join(dir, entry.Name())) == nil {
			names = append(names, entry.Name())
		}
	}
	return names, nil
}

// open returns the directory of a file that the fence allows.
func (s *Site) open(name string, create bool) (*os.Root, error) {
	if err := s.Decide(name); err != nil {
		return nil, err
	}
	segments := strings.Split(name, "/")
	dir, err := s.walk(segments[:len(segments)-1], create)
	if err != nil {
		return nil, failed(name, err)
	}
	return dir, nil
}

// walk goes down one directory at a time, and sees to it that each is the one
// that was looked at.
func (s *Site) walk(segments []string, create bool) (*os.Root, error) {
	dir, err := s.root.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	for _, segment := range segments {
		next, err := descend(dir, segment, create)
		dir.Close()
		if err != nil {
			return nil, err
		}
		dir = next
	}
	return dir, nil
}

func descend(dir *os.Root, segment string, create bool) (*os.Root, error) {
	if create {
		if err := dir.Mkdir(segment, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	seen, err := dir.Lstat(segment)
	if err != nil {
		return nil, err
	}
	if !seen.IsDir() {
		return nil, errMoved
	}
	next, err := dir.OpenRoot(segment)
	if err != nil {
		return nil, err
	}
	if info, err := next.Stat("."); err != nil || !os.SameFile(seen, info) {
		next.Close()
		return nil, errMoved
	}
	return next, nil
}

// errMoved is what a path has come to that changed after it was judged.
var errMoved = errors.New("something else stands on the way")

// failed names the site's path in an error, and no path of this machine.
func failed(name string, err error) error {
	if errors.Is(err, errMoved) {
		return &Refusal{Escape, name, "changed while it was opened"}
	}
	var at *fs.PathError
	var link *os.LinkError
	if errors.As(err, &at) {
		err = at.Err
	} else if errors.As(err, &link) {
		err = link.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}
