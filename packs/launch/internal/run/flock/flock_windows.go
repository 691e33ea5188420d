package flock

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// region is one byte far behind the end of any file: locks are mandatory here,
// and readers must not meet them.
func region() *windows.Overlapped { return &windows.Overlapped{OffsetHigh: 1 << 30} }

// Try takes the lock if nobody has it.
func Try(file *os.File) (bool, error) {
	const how = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(file.Fd()), how, 0, 1, 0, region())
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("lock a file: %w", err)
	}
	return true, nil
}

// Unlock lets go of the file.
func Unlock(file *os.File) error {
	return windows.UnlockFileEx(windows.Handle(file.Fd()), 0, 1, 0, region())
}
