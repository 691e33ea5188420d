//go:build !linux

package resident

import "os"

// A watcher cannot be had here: every query is a scan.
type watcher struct{}

func newWatcher() *watcher                 { return &watcher{} }
func (*watcher) add(*kept, *os.Root) error { return errUnfit }
func (*watcher) isUnchanged(*kept) bool    { return false }
func (*watcher) remove(*kept)              {}
func (*watcher) close()                    {}
