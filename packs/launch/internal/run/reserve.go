package run

import (
	"crypto/rand"
	"errors"
	"syscall"

	"mcpworks/packs/launch/internal/run/index"
)

// The reserve is a file of no use: when the disk is full it is removed, so that
// runs can still say why they stop and let go of what they hold.
const (
	reserveName  = "reserve"
	reserveBytes = 1 << 20
)

// ErrFull: there is no room for a run to begin or to go on.
var ErrFull = errors.New("the disk of the data directory is full")

// CodeFull is the code of a run that has failed because of it.
const CodeFull = "ORCHESTRATOR_DISK_FULL"

// Full says whether an error means that the disk is full.
func Full(err error) bool {
	return errors.Is(err, ErrFull) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || index.Full(err)
}

// keepReserve sees to it that there is a reserve. It is ErrFull if there is no room
// for one.
func (s *Store) keepReserve() error {
	if info, err := s.root.Lstat(reserveName); err == nil && info.Size() >= reserveBytes {
		return nil
	}
	content := make([]byte, reserveBytes)
	_, _ = rand.Read(content) // never fails; zeros would take no room on some disks
	err := s.root.WriteFile(reserveName, content, 0o600)
	if err != nil {
		err = errors.Join(err, s.root.Remove(reserveName))
	}
	if Full(err) {
		return ErrFull
	}
	return err
}

// withReserve does what has to be done even if the disk is full.
func (s *Store) withReserve(do func() error) error {
	err := do()
	if !Full(err) || s.root.Remove(reserveName) != nil {
		return err
	}
	s.options.Logger.Warn("the disk of the data directory is full", "error", err)
	return do()
}
