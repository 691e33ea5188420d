//go:build !linux

package resident

import "os"

// A watch cannot be had here: every query is a scan.
type watch struct{}

func newWatch() (watch, error)   { return watch{}, errUnfit }
func (watch) add(*os.Root) error { return errUnfit }
func (watch) changed() bool      { return true }
func (watch) close()             {}
