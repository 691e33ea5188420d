//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package build

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// A folder is a directory, by its name.
type folder struct{ path string }

func openFolder(path string) (*folder, error) {
	_, err := os.Stat(path)
	return &folder{path}, err
}

func (f *folder) close() {}

func (f *folder) in(name string) string { return filepath.Join(f.path, filepath.FromSlash(name)) }

// create makes a file that is not there yet.
func (f *folder) create(name string, text []byte) error {
	file, err := os.OpenFile(f.in(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if syncsFiles && err == nil {
		err = file.Sync()
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	return err
}

// link gives a file of another folder the same name in this one too.
func (f *folder) link(from *folder, name string) error { return os.Link(from.in(name), f.in(name)) }

func (f *folder) remove(name string) error { return os.Remove(f.in(name)) }

// A file is a regular file that is open for reading.
type file struct {
	*os.File
	size int64
}

// open opens a regular file below the folder.
func (f *folder) open(name string, follow bool) (file, error) {
	look := os.Lstat
	if follow {
		look = os.Stat
	}
	info, err := look(f.in(name)) // before opening, for a pipe would block
	if err == nil && !info.Mode().IsRegular() {
		err = &os.PathError{Op: "open", Path: f.in(name), Err: errNotFile}
	}
	if err != nil {
		return file{}, err
	}
	opened, err := os.Open(f.in(name))
	return file{opened, info.Size()}, err
}

func (f *file) close() { f.File.Close() }

// read returns the whole content, in the memory of buffer if it fits.
func (f *file) read(buffer []byte, limit int64) ([]byte, error) {
	return readAll(buffer, f.size, limit, func(p []byte) (int, error) {
		n, err := f.Read(p)
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return n, err
	})
}

// isOurs leaves permissions to the directory, which hands them down.
func (f *file) isOurs(*folder) bool { return true }
