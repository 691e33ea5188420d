package cache

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// A folder is an open directory. Its files are reached without leaving it, also
// when symbolic links are put in the way meanwhile (SEC-7).
type folder struct {
	root *os.Root    // nil for one that may be searched but not listed
	path string      // without symbolic links
	info os.FileInfo // of the directory
}

// openFolder opens the directory of a cache (LOAD-1).
func openFolder(path string) (*folder, error) {
	if path == "" {
		return nil, missing(fs.ErrNotExist)
	}
	canonical, err := canonical(path)
	if err != nil {
		return nil, missing(err)
	}
	if err := isDirectory(canonical); err != nil {
		return nil, missing(err)
	}
	root, err := os.OpenRoot(canonical)
	if err != nil && !errors.Is(err, fs.ErrPermission) {
		return nil, missing(err)
	}
	f, err := newFolder(root, canonical)
	if err != nil {
		return nil, missing(err)
	}
	return f, nil
}

// newFolder takes over root.
func newFolder(root *os.Root, path string) (*folder, error) {
	f := &folder{root: root, path: path}
	var err error
	if root != nil {
		f.info, err = root.Stat(".")
	} else {
		f.info, err = os.Stat(path)
	}
	if err != nil {
		f.close()
	}
	return f, err
}

// isReplaced says whether another directory, or none, now has the path.
func (f *folder) isReplaced() bool {
	now, err := os.Stat(f.path)
	return err != nil || !os.SameFile(f.info, now)
}

func (f *folder) close() {
	if f.root != nil {
		_ = f.root.Close()
	}
}

func canonical(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return follow(absolute)
}

// follow returns where a path leads, without symbolic links.
func follow(path string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	var ofSystem *fs.PathError
	if err != nil && !errors.As(err, &ofSystem) {
		err = &fs.PathError{Op: "follow", Path: path, Err: syscall.ELOOP}
	}
	return target, err
}

func isDirectory(path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: path, Err: syscall.ENOTDIR}
	}
	return err
}

// missing tells a path that leads to no directory from one that may not be
// followed.
func missing(err error) error {
	if isAbsent(err) {
		return fmt.Errorf("%w: %w", ErrMissing, err)
	}
	return fmt.Errorf("%w: %w", ErrIO, err)
}

// isAbsent says whether there is nothing at a path, and nothing there could be.
func isAbsent(err error) bool {
	for _, absent := range []error{fs.ErrNotExist, syscall.ENOTDIR, syscall.ELOOP, syscall.EINVAL, syscall.ENAMETOOLONG} {
		if errors.Is(err, absent) {
			return true
		}
	}
	return false
}

// sub opens a directory inside; nil is one that cannot be had, though its files
// perhaps can.
func (f *folder) sub(name string) (*os.Root, error) {
	within, err := f.resolve(name)
	if err != nil {
		return nil, err
	}
	if err := isDirectory(filepath.Join(f.path, within)); err != nil { // and no pipe, which would block
		return nil, unusable(name, err)
	}
	var root *os.Root
	if f.root != nil {
		root, err = f.root.OpenRoot(within)
	}
	if err != nil && !errors.Is(err, fs.ErrPermission) {
		return nil, unusable(name, err)
	}
	return root, nil
}

// read returns a file's content.
func (f *folder) read(name string, limit int64) ([]byte, error) {
	file, err := f.open(name)
	if err != nil {
		return nil, err
	}
	return readFile(file, name, limit, nil)
}

// readFile returns a file's content, in the memory of buffer if it fits, and
// closes the file. What is not a regular file makes the cache invalid (LOAD-2,
// LOAD-8).
func readFile(file *os.File, name string, limit int64, buffer []byte) ([]byte, error) {
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrIO, err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%w: %s is not a regular file", ErrInvalid, name)
	case info.Size() > limit:
		return nil, fmt.Errorf("%w: %s is larger than %d bytes", ErrInvalid, name, limit)
	}
	text, err := readAll(file, int(info.Size()), buffer)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrIO, err)
	}
	return text, nil
}

// readAll reads as much as the file had when it was opened. One that grows
// meanwhile is not followed: what is missing at its end will be found.
func readAll(file *os.File, size int, buffer []byte) ([]byte, error) {
	if cap(buffer) < size {
		buffer = make([]byte, size+size/4)
	}
	n, err := io.ReadFull(file, buffer[:size])
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		err = nil
	}
	return buffer[:n], err
}

// openFile opens a file for reading. O_NONBLOCK keeps a pipe from blocking until
// it has been found not to be a file.
func openFile(root *os.Root, name string) (*os.File, error) {
	return root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// open opens a file inside.
func (f *folder) open(name string) (*os.File, error) {
	if f.root == nil {
		return f.openByPath(name)
	}
	file, err := openFile(f.root, name)
	if err == nil {
		return file, nil
	}
	if isAbsent(err) && !errors.Is(err, syscall.ELOOP) {
		return nil, unusable(name, err)
	}
	within, err := f.resolve(name) // perhaps an absolute link that stays inside
	if err != nil {
		return nil, err
	}
	if file, err = openFile(f.root, within); errors.Is(err, fs.ErrPermission) {
		return f.openByPath(name) // perhaps in a directory that may not be listed
	}
	if err != nil {
		return nil, unusable(name, err)
	}
	return file, nil
}

// openByPath opens a file where directories may be searched but not listed,
// which an [os.Root] cannot. That it is inside is seen again once it is open.
func (f *folder) openByPath(name string) (*os.File, error) {
	before, err := f.stat(name)
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() { // and it matters not whether it may be opened
		return nil, fmt.Errorf("%w: %s is not a regular file", ErrInvalid, name)
	}
	file, err := os.OpenFile(filepath.Join(f.path, name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, unusable(name, err)
	}
	opened, err := file.Stat()
	after, inside := f.stat(name)
	if err != nil || inside != nil || !os.SameFile(opened, after) {
		file.Close()
		return nil, fmt.Errorf("%w: %s was replaced while it was opened", ErrInvalid, name)
	}
	return file, nil
}

// stat looks at what a name leads to inside.
func (f *folder) stat(name string) (os.FileInfo, error) {
	within, err := f.resolve(name)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(filepath.Join(f.path, within))
	if err != nil {
		return nil, unusable(name, err)
	}
	return info, nil
}

// resolve returns where a name leads, relative to the folder and without
// symbolic links. An [os.Root] alone would refuse absolute links that stay
// inside, which the contract allows (LOAD-2, LOAD-8).
func (f *folder) resolve(name string) (string, error) {
	target, err := follow(filepath.Join(f.path, name))
	if err != nil {
		return "", unusable(name, err)
	}
	within, err := filepath.Rel(f.path, target)
	if err != nil || !filepath.IsLocal(within) {
		return "", fmt.Errorf("%w: %s leads out of the cache", ErrInvalid, name)
	}
	return within, nil
}

// unusable tells a file that is not there, or is no file, from one that may not
// be read.
func unusable(name string, err error) error {
	kind := ErrIO
	if isAbsent(err) || errors.Is(err, syscall.ENXIO) {
		kind = ErrInvalid
	}
	return fmt.Errorf("%w: %s: %w", kind, name, err)
}
