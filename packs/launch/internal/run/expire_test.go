package run_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/state"

	"github.com/google/go-cmp/cmp"
)

// 5.5: what is deleted when, and what becomes of a run in between.
func TestExpire(t *testing.T) {
	now := newClock()
	folder := t.TempDir()
	store := openStore(t, folder, run.Options{Clock: now.Now})
	going := create(t, store)
	id, _, err := store.Create(t.Context(), request("key"))
	if err != nil {
		t.Fatal(err)
	}
	held := hold(t, store, id)
	if _, err := held.WriteArtifact(t.Context(), "drafts/docs/a.md", "", "W5", []byte("a")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"work/repo/src", "reports", "logs"} {
		if err := os.MkdirAll(filepath.Join(folder, "runs", id, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(folder, "runs", id, "work/repo"), 0o500); err != nil {
		t.Fatal(err)
	}
	walk(t, held, state.Done)
	release(t, held)
	for _, c := range []struct {
		days int
		want []run.Expired
	}{
		{6, nil},
		{8, []run.Expired{{RunID: id, Folder: "work"}, {RunID: id, Folder: "drafts"}}},
		{9, nil},
		{31, []run.Expired{{RunID: id, Folder: "reports"}, {RunID: id, Folder: "logs"}}},
		{91, []run.Expired{{RunID: id}}},
		{92, nil},
	} {
		now.Move(time.Date(2026, 1, 1+c.days, 0, 0, 0, 0, time.UTC).Sub(now.Now()))
		var got []run.Expired
		if err := store.Expire(t.Context(), tester, run.Retention{}, func(e run.Expired) { got = append(got, e) }); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("day %d (-want +got):\n%s", c.days, diff)
		}
		_, err := store.Read(t.Context(), id, "drafts/docs/a.md", 0, 10)
		missing := (*run.MissingError)(nil)
		if gone := errors.As(err, &missing) && missing.Expired; gone != (c.days > 7 && c.days < 91) {
			t.Errorf("day %d: %v", c.days, err)
		}
	}
	if _, err := store.Status(t.Context(), id); !errors.Is(err, run.ErrNotFound) {
		t.Errorf("the run is there: %v", err)
	}
	if again, replay, err := store.Create(t.Context(), request("key")); replay || err != nil {
		t.Errorf("its key is there: %s, %v", again, err)
	}
	status(t, store, going)
	entries, err := os.ReadDir(filepath.Join(folder, "runs"))
	if err != nil || len(entries) != 2 {
		t.Errorf("%v, %v", entries, err)
	}
}
