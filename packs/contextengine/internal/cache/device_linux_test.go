package cache_test

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"mcpworks/packs/contextengine/internal/cachetest"
)

// device replaces a file by a device.
func device(major, minor int) func(string) func(*testing.T, string) {
	return func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			remove(name)(t, dir)
			err := syscall.Mknod(filepath.Join(dir, name), syscall.S_IFCHR|0o666, major<<8|minor)
			if errors.Is(err, syscall.EPERM) {
				t.Skip("only the superuser makes devices")
			}
			cachetest.Must(t, err)
		}
	}
}
