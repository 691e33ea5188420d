package build

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// publish gives the new cache its path. With force, it is that of the old cache
// (BUILD-12), which then has the scratch's. After an error all is as before.
func (s *scratch) publish(force bool) error {
	for range attempts {
		err := renameNew(s.path, s.target)
		if err == nil {
			return s.settle(renameNew)
		}
		if !errors.Is(err, fs.ErrExist) {
			return ioError("put the cache in place: %w", err)
		}
		if !force {
			return existsError(s.target)
		}
		// The build may have taken long: what is there now?
		if err = checkReplaceable(s.target); err == nil {
			if err = exchange(s.path, s.target); err == nil {
				return s.settle(exchange)
			}
			err = ioError("replace the old cache: %w", err)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return ioError("put the cache in place: others make and remove %q all the time", s.target)
}

// settle makes the new name last. If that fails, the name is taken back.
func (s *scratch) settle(undo func(from, to string) error) error {
	err := syncDirectory(filepath.Dir(s.target))
	if err == nil {
		return nil
	}
	undone := undo(s.target, s.path)
	if undone != nil {
		s.path = "" // what is there now may be the old cache
	}
	return ioError("put the cache in place: %w", errors.Join(err, undone))
}

// syncDirectory returns when the names in a directory are on disk. Where they
// cannot be asked for that, they get there without.
func syncDirectory(path string) error {
	dir, err := os.Open(path)
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	err = dir.Sync()
	for _, cannot := range []error{syscall.EINVAL, errors.ErrUnsupported, fs.ErrPermission} {
		if errors.Is(err, cannot) {
			return nil
		}
	}
	return err
}

// renameChecked is renameNew for systems that have no such call: between its
// two steps, an empty directory could be made and replaced.
func renameChecked(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: fs.ErrExist}
	}
	return os.Rename(from, to)
}

// exchangeStepwise is exchange for systems that have no such call: between its
// steps, nothing is at the path to. A build that is killed there leaves the old
// directory beside it, and no other build removes it.
func exchangeStepwise(from, to string) error {
	dir, name := filepath.Split(to)
	aside := dir + "." + shortened(name) + ".old-" + rand.Text()
	if err := os.Rename(to, aside); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return errors.Join(err, os.Rename(aside, to))
	}
	if err := os.Rename(aside, from); err != nil {
		return errors.Join(err, os.Rename(to, from), os.Rename(aside, to))
	}
	return nil
}
