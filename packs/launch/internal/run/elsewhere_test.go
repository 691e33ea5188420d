package run_test

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/run/eventlog"
)

// appendElsewhere appends an event as another host would, which knows the lease
// and not the file lock.
func appendElsewhere(t *testing.T, folder, id string, fence int64) {
	t.Helper()
	root, err := os.OpenRoot(filepath.Join(folder, "runs", id))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	log, err := eventlog.Open(root, eventlog.Options{RunID: id, Clock: time.Now, Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	err = log.Append(fence, func() ([]eventlog.Draft, error) { return []eventlog.Draft{note("elsewhere")}, nil }, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
}
