//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package build

import "os"

// lockDirectory cannot tell the directory of a living build from a leftover
// here, so that none is ever removed.
func lockDirectory(string) (*os.File, error) { return nil, errNoLocks }
