//go:build unix && !linux

package cache_test

import "testing"

// device would replace a file by a device, were they numbered as on Linux.
func device(int, int) func(string) func(*testing.T, string) {
	return func(string) func(*testing.T, string) {
		return func(t *testing.T, _ string) { t.Skip("devices are numbered otherwise here") }
	}
}
