//go:build !windows

package flock

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// Try takes the lock if nobody has it.
func Try(file *os.File) (bool, error) {
	for {
		switch err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, syscall.EINTR):
			return false, fmt.Errorf("lock a file: %w", err)
		}
	}
}

// Unlock lets go of the file.
func Unlock(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }
