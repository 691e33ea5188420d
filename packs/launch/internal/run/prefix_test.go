package run_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// R-3, S-10: a run that fails, is resumed, interrupted and finished can be cut
// off after any of its events, and from there it comes to the same end.
func TestEveryPrefixGoesOn(t *testing.T) {
	folder := t.TempDir()
	store := openStore(t, folder, run.Options{})
	held := hold(t, store, create(t, store))
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	must(held.Start(ctx, stages))
	walk(t, held, state.Drafting)
	must(held.Fail(ctx, snapshot.Failure{Class: "FAILED", ErrorCode: "X", Stage: "W5", Resumable: true}))
	release(t, held)
	_, err := store.Resume(ctx, held.ID(), tester, run.Resuming{Stages: stages, Enqueue: noQueue})
	must(err)
	again := hold(t, store, held.ID())
	must(again.Start(ctx, stages))
	must(again.Advance(ctx, snapshot.Change{New: state.Drafting}))
	must(again.Interrupt(ctx, true, noQueue))
	last := hold(t, store, held.ID())
	must(execute(ctx, last, func(string, string) {}))
	want := finalArtifacts(t, last)
	release(t, last)
	must(store.Close())

	origin := filepath.Join(folder, "runs", held.ID())
	log, err := os.ReadFile(filepath.Join(origin, eventlog.FileName))
	must(err)
	lines := bytes.SplitAfter(log, []byte("\n"))
	if len(lines) < 40 {
		t.Fatalf("only %d events", len(lines)-1)
	}
	for n := 2; n < len(lines); n++ {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			copied := t.TempDir()
			to := filepath.Join(copied, "runs", held.ID())
			must(os.CopyFS(to, os.DirFS(origin)))
			must(os.WriteFile(filepath.Join(to, eventlog.FileName), bytes.Join(lines[:n], nil), 0o600))
			store := openStore(t, copied, run.Options{})
			if status(t, store, held.ID()).State == state.Done {
				return
			}
			held := hold(t, store, held.ID())
			if err := execute(ctx, held, func(string, string) {}); err != nil {
				t.Fatal(err)
			}
			got := held.Snapshot()
			for name, sha := range want {
				if got.Artifacts[name].SHA256 != sha || got.State != state.Done {
					t.Errorf("%s after %s differs", name, got.State)
				}
			}
		})
	}
}
