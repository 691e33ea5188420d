package index_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/run/index"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

func open(t testing.TB, folder string) *index.DB {
	t.Helper()
	db, err := index.Open(t.Context(), folder, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// A name with signs that mean something in an address is only a name.
func TestFolderNames(t *testing.T) {
	folder := t.TempDir() + "/a b?c#d%20e"
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, open(t, folder), index.Row{RunID: "r_12345678", LastSeq: 1})
	if _, ok, err := open(t, folder).Get(t.Context(), "r_12345678"); !ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
}

func put(t testing.TB, db *index.DB, rows ...index.Row) {
	t.Helper()
	err := db.Update(t.Context(), func(tx *sql.Tx) error {
		for _, row := range rows {
			if err := index.Put(t.Context(), tx, row); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A row never goes back behind what the log has said since.
func TestRowsOnlyGoForward(t *testing.T) {
	db := open(t, t.TempDir())
	put(t, db, index.Row{RunID: "r_12345678", State: state.Ingested, LastSeq: 5})
	put(t, db, index.Row{RunID: "r_12345678", State: state.Created, LastSeq: 3})
	if row, _, err := db.Get(t.Context(), "r_12345678"); err != nil || row.State != state.Ingested {
		t.Errorf("%+v, %v", row, err)
	}
}

// 5.6: one holder, growing fences, over several connections to one file.
func TestLeases(t *testing.T) {
	folder := t.TempDir()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	want := index.Lease{RunID: "r_12345678", Operation: "x", Expires: now.Add(30 * time.Second)}
	var mu sync.Mutex
	var got []index.Lease
	var tries sync.WaitGroup
	for i := range 4 {
		db := open(t, folder)
		tries.Go(func() {
			mine := want
			mine.Owner = fmt.Sprint(i)
			lease, err := db.Acquire(t.Context(), mine, 0, 0, now)
			if leased := (*index.LeasedError)(nil); err != nil && !errors.As(err, &leased) {
				t.Error(err)
			}
			if err == nil {
				mu.Lock()
				got = append(got, lease)
				mu.Unlock()
			}
		})
	}
	tries.Wait()
	if len(got) != 1 || got[0].Fence != 1 || got[0].TakenOver {
		t.Fatalf("leases: %+v", got)
	}
	db, first := open(t, folder), got[0]
	later := now.Add(31 * time.Second)
	second, err := db.Acquire(t.Context(), index.Lease{RunID: first.RunID, Owner: "next", Expires: later.Add(time.Minute)}, 0, 0, later)
	if err != nil || second.Fence != 2 || !second.TakenOver {
		t.Fatalf("takeover: %+v, %v", second, err)
	}
	if renewed, err := db.Renew(t.Context(), first, later.Add(time.Hour)); renewed || err != nil {
		t.Errorf("the old lease was renewed: %v", err)
	}
	release := func(lease index.Lease) {
		t.Helper()
		if err := db.Update(t.Context(), func(tx *sql.Tx) error { return index.Release(t.Context(), tx, lease) }); err != nil {
			t.Fatal(err)
		}
	}
	release(first)
	if held, ok, err := db.Leased(t.Context(), first.RunID, later); !ok || held.Owner != "next" || err != nil {
		t.Errorf("the old holder released the new lease: %+v, %v", held, err)
	}
	release(second)
	third, err := db.Acquire(t.Context(), want, 9, 0, later)
	if err != nil || third.Fence != 9 || third.TakenOver {
		t.Errorf("after a log that knows more: %+v, %v", third, err)
	}
}

// 15.1: a page out of 10,000 runs, from the middle.
func BenchmarkList(b *testing.B) {
	db := open(b, b.TempDir())
	var rows []index.Row
	for i := range 10_000 {
		rows = append(rows, index.Row{
			RunID: fmt.Sprintf("r_%08d", i), ProductSlug: "acme", State: state.All[i%len(state.All)], Activity: snapshot.Finished,
			StartedAt: fmt.Sprintf("2026-01-01T00:%02d:%02d.%03dZ", i/6000, i/100%60, i%100), LastSeq: 1,
		})
	}
	put(b, db, rows...)
	filter := index.Filter{ProductSlug: "acme", States: []state.State{state.Done, state.Failed}}
	_, cursor, err := db.List(b.Context(), filter, 200, "")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if page, _, err := db.List(b.Context(), filter, 50, cursor); err != nil || len(page) != 50 {
			b.Fatal(len(page), err)
		}
	}
}
