package build

import (
	"errors"
	"fmt"

	"mcpworks/packs/contextengine/internal/cache"
)

// A fault is an error of one of the kinds of package cache, in words of its own:
// those of the kind are about reading.
type fault struct {
	error
	kind error
}

func (f *fault) Unwrap() []error { return []error{f.kind, f.error} }

func ioError(format string, args ...any) error {
	return &fault{fmt.Errorf(format, args...), cache.ErrIO}
}

func invalidError(format string, args ...any) error {
	return &fault{fmt.Errorf(format, args...), cache.ErrInvalid}
}

// Why a directory is not locked.
var (
	errTaken   = errors.New("another build has it")
	errNoLocks = errors.New("directories cannot be locked here")
)
