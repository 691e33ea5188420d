package gitrepo

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// errNotDir is what a file in the place of a folder gives.
var errNotDir = syscall.ENOTDIR

// protect takes the right to write from dir and all below it.
func protect(dir string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return os.Chmod(path, 0o500)
		default:
			return os.Chmod(path, 0o400)
		}
	})
}

// Remove removes a folder that Checkout made, also a read-only one. One that is
// not there is removed already.
func Remove(dir string) error {
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			return os.Chmod(path, 0o700)
		}
		return nil // RemoveAll says what is wrong
	})
	return os.RemoveAll(dir)
}

func exitCode(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return 0
}
