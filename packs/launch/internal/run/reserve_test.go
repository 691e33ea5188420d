package run_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/index"
)

// When the disk is full, what must be written gets the room that was kept for it.
func TestReserve(t *testing.T) {
	folder := t.TempDir()
	store := openStore(t, folder, run.Options{})
	reserve := filepath.Join(folder, "reserve")
	writes := func() (tries int, err error) {
		err = store.WithReserve(func() error {
			tries++
			if _, err := os.Lstat(reserve); err == nil {
				return fmt.Errorf("write a file: %w", &os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC})
			}
			return nil
		})
		return tries, err
	}
	if tries, err := writes(); tries != 2 || err != nil {
		t.Errorf("%d tries, %v", tries, err)
	}
	create(t, store) // there is room again
	if info, err := os.Lstat(reserve); err != nil || info.Size() < 1<<20 {
		t.Errorf("the reserve is %v, %v", info, err)
	}
	other := errors.New("another reason")
	if err := store.WithReserve(func() error { return other }); !errors.Is(err, other) || run.Full(err) {
		t.Errorf("%v", err)
	}
	if _, err := os.Lstat(reserve); err != nil {
		t.Error("the reserve was given up for nothing")
	}
	if err := os.Remove(reserve); err != nil {
		t.Fatal(err)
	}
	full := func() error { return syscall.ENOSPC }
	if err := store.WithReserve(full); !run.Full(err) {
		t.Errorf("without a reserve: %v", err)
	}
}

// whoever takes over from a killed holder clears up what it was making.
func TestUnfinishedWorkIsRemoved(t *testing.T) {
	folder, now := t.TempDir(), newClock()
	store := openStore(t, folder, run.Options{Clock: now.Now})
	id := create(t, store)
	killed := index.Lease{RunID: id, Owner: "killed", Expires: now.Now().Add(time.Minute)}
	if _, err := store.Index().Acquire(t.Context(), killed, 0, 0, now.Now()); err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(folder, "runs", id, "work")
	for _, name := range []string{"repo/docs", "site/.well-known", "site.next/content", "repo.new/docs"} {
		if err := os.MkdirAll(filepath.Join(work, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(work, "repo.new"), 0o500); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "runs", id, ".tmp-x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	now.Move(2 * time.Minute)
	hold(t, store, id)
	left, err := filepath.Glob(filepath.Join(work, "*"))
	if err != nil || len(left) != 2 || filepath.Base(left[0]) != "repo" || filepath.Base(left[1]) != "site" {
		t.Errorf("left: %v, %v", left, err)
	}
	noTemporaryFiles(t, folder)
}
