package run_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/index"
	"mcpworks/packs/launch/internal/run/state"
)

// S-26: the snapshot that is served is the one that status tells of, also when a
// process was killed before it could write it.
func TestServedSnapshot(t *testing.T) {
	folder := t.TempDir()
	store := openStore(t, folder, run.Options{})
	id := create(t, store)
	file := filepath.Join(folder, "runs", id, "snapshot.json")
	old, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	held := hold(t, store, id)
	walk(t, held, "DONE")
	release(t, held)
	for name, spoil := range map[string]func() error{
		"old":  func() error { return os.WriteFile(file, old, 0o600) },
		"gone": func() error { return os.Remove(file) },
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		chunk, err := store.Read(t.Context(), id, "snapshot.json", 0, 1<<20)
		if err != nil || !bytes.Contains(chunk.Data, []byte(`"run_state": "DONE"`)) || chunk.SHA256 != hashOf(chunk.Data) || !chunk.Complete {
			t.Errorf("%s: %v, %s", name, err, chunk.Data)
		}
	}
}

// S-7: the hash is that of the file as it is, however large it is.
func TestSumOfLargeFile(t *testing.T) {
	folder := t.TempDir()
	store := openStore(t, folder, run.Options{})
	id := create(t, store)
	held := hold(t, store, id)
	data := bytes.Repeat([]byte("a"), 2<<20)
	if _, err := held.WriteArtifact(t.Context(), "big.json", "x", "W1", data); err != nil {
		t.Fatal(err)
	}
	release(t, held)
	file := filepath.Join(folder, "runs", id, "artifacts", "big.json")
	for i := range 3 {
		if i > 0 {
			data[i] = 'b'
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(file, time.Time{}, time.Unix(int64(i), 0)); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			chunk, err := store.Read(t.Context(), id, "big.json", 0, 1<<10)
			if err != nil || chunk.SHA256 != hashOf(data) {
				t.Errorf("version %d: %v", i, err)
			}
		}
	}
}

// 5.6: a dead holder's lease does not last longer because the clock went back.
func TestClockGoesBack(t *testing.T) {
	now := newClock()
	store := openStore(t, t.TempDir(), run.Options{Clock: now.Now})
	id := create(t, store)
	dead := index.Lease{RunID: id, Owner: "dead", Operation: "advance_run", Expires: now.Now().Add(30 * time.Second)}
	if _, err := store.Index().Acquire(t.Context(), dead, 1, 0, now.Now()); err != nil {
		t.Fatal(err)
	}
	if held, err := store.TryHold(t.Context(), id, tester, run.Place{}); err == nil {
		release(t, held)
		t.Fatal("the lease was not heeded")
	}
	now.Move(-time.Hour)
	release(t, hold(t, store, id))
}

// 5.5: a run that was copied in keeps its work, though its key stands for another.
func TestAdoptedRunStays(t *testing.T) {
	folder, other := t.TempDir(), t.TempDir()
	store := openStore(t, folder, run.Options{})
	if _, _, err := store.Create(t.Context(), request("key")); err != nil {
		t.Fatal(err)
	}
	store.Close()
	elsewhere := openStore(t, other, run.Options{})
	wanted := request("key")
	wanted.Config = []byte("product_slug: other\n")
	id, _, err := elsewhere.Create(t.Context(), wanted)
	if err != nil {
		t.Fatal(err)
	}
	held := hold(t, elsewhere, id)
	walk(t, held, "DONE")
	release(t, held)
	elsewhere.Close()
	if err := os.Rename(filepath.Join(other, "runs", id), filepath.Join(folder, "runs", id)); err != nil {
		t.Fatal(err)
	}
	store = openStore(t, folder, run.Options{})
	if s := status(t, store, id); s.State != state.Done {
		t.Errorf("the run is %s", s.State)
	}
	if rows, _, err := store.List(t.Context(), index.Filter{}, 10, ""); err != nil || len(rows) != 2 {
		t.Errorf("%d runs, %v", len(rows), err)
	}
}

// a key is one within its scope, whatever either looks like.
func TestScopesOfKeys(t *testing.T) {
	store := openStore(t, t.TempDir(), run.Options{})
	first, second := request("c"), request("b|c")
	first.Scope, second.Scope = "a|b", "a"
	one, _, err := store.Create(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	if two, replay, err := store.Create(t.Context(), second); err != nil || replay || two == one {
		t.Errorf("the key of one owner finds the run of another: %v", err)
	}
}
