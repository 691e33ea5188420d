package flock_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"mcpworks/packs/launch/internal/run/flock"
)

func open(t *testing.T, name string) *os.File {
	t.Helper()
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

func TestHandlesExcludeEachOther(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	first, second := open(t, name), open(t, name)
	try := func(file *os.File, want bool) {
		t.Helper()
		if held, err := flock.Try(file); held != want || err != nil {
			t.Fatalf("held is %v, %v", held, err)
		}
	}
	try(first, true)
	try(second, false)
	gone, cancel := context.WithCancelCause(t.Context())
	cancel(errors.ErrUnsupported)
	if err := flock.Lock(gone, second); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a wait that was ended: %v", err)
	}
	waited := make(chan error)
	go func() { waited <- flock.Lock(context.Background(), second) }()
	if err := flock.Unlock(first); err != nil {
		t.Fatal(err)
	}
	if err := <-waited; err != nil {
		t.Fatal(err)
	}
	try(first, false)
	second.Close() // and with it goes the lock
	try(first, true)
}
