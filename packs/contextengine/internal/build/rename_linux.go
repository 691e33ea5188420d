package build

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// renameNew renames a directory to a path where nothing is. If something is
// there, that stays, and the error is fs.ErrExist.
func renameNew(from, to string) error {
	return rename(from, to, unix.RENAME_NOREPLACE, renameChecked)
}

// exchange gives each of two directories the path of the other.
func exchange(from, to string) error {
	return rename(from, to, unix.RENAME_EXCHANGE, exchangeStepwise)
}

// rename renames in one step, or otherwise where the file system cannot.
func rename(from, to string, flags uint, otherwise func(from, to string) error) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, flags)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EINVAL), errors.Is(err, errors.ErrUnsupported):
		return otherwise(from, to)
	}
	return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
}
