//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package build

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockDirectory opens a directory and holds it until it is closed, or its
// process ends. It fails with errTaken if another holds it, and with errNoLocks
// where directories cannot be held.
func lockDirectory(path string) (*os.File, error) {
	dir, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(dir.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == nil {
		return dir, nil
	}
	_ = dir.Close()
	if errors.Is(err, unix.EWOULDBLOCK) {
		return nil, errTaken
	}
	return nil, errNoLocks
}
