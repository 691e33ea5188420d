package run_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/index"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"

	"github.com/google/go-cmp/cmp"
)

var stages = []run.Stage{
	{Worker: "W1", From: state.Created},
	{Worker: "W2", After: []string{"W1"}, From: state.Ingested},
	{Worker: "W3", After: []string{"W2"}, From: state.FactsReady},
	{Worker: "W4", After: []string{"W3"}, From: state.FactsReady},
	{Worker: "W5", After: []string{"W4"}, From: state.PlanReady},
	{Worker: "W6", After: []string{"W5"}, From: state.DraftReady},
	{Worker: "W7", After: []string{"W6"}, From: state.DraftReady},
}

// outputs are one artifact for each worker.
var outputs = map[string]string{
	"repo_inventory.json": "W1", "product_facts.json": "W2", "snippet_catalog.json": "W3", "page_plan.json": "W4",
	"drafts/docs/index.md": "W5", "patch_bundle.json": "W6", "validation_report.json": "W7",
}

// withOutputs makes a run that is in a state and has all artifacts.
func withOutputs(t *testing.T, store *run.Store, at state.State) *run.Held {
	t.Helper()
	held := hold(t, store, create(t, store))
	walk(t, held, at)
	for name, worker := range outputs {
		if _, err := held.WriteArtifact(t.Context(), name, "", worker, []byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	return held
}

// enqueued remembers what was asked for.
type enqueued struct{ notBefore []time.Time }

func (e *enqueued) take(_ context.Context, _ *sql.Tx, _ string, _ int64, notBefore time.Time) error {
	e.notBefore = append(e.notBefore, notBefore)
	return nil
}

// 5.7: where each state goes on, when nothing is missing.
func TestResumeRewinds(t *testing.T) {
	store := openStore(t, t.TempDir(), run.Options{})
	for at, want := range map[state.State]state.State{
		state.PlanReady: state.PlanReady, state.Drafting: state.PlanReady, state.Linking: state.DraftReady,
		state.Validating: state.DraftReady, state.PROpened: state.PROpened,
	} {
		held := withOutputs(t, store, at)
		if err := held.Pause(t.Context(), snapshot.Interrupted); err != nil {
			t.Fatal(err)
		}
		release(t, held)
		queue := &enqueued{}
		got, err := store.Resume(t.Context(), held.ID(), tester, run.Resuming{Stages: stages, Until: "DONE", Enqueue: queue.take})
		if diff := cmp.Diff(run.Resumed{From: at, To: want, Enqueued: true}, got); err != nil || diff != "" || len(queue.notBefore) != 1 {
			t.Errorf("%s: %v, enqueued %v (-want +got):\n%s", at, err, queue.notBefore, diff)
		}
		if s := status(t, store, held.ID()); s.State != want || s.Activity != snapshot.Queued || s.Until != "DONE" {
			t.Errorf("%s: now %s, %s, until %s", at, s.State, s.Activity, s.Until)
		}
	}
}

// 5.7: what is missing or changed is stale with everything after it, and the run
// goes back to where it is made.
func TestResumeFindsStaleArtifacts(t *testing.T) {
	folder := t.TempDir()
	store := openStore(t, folder, run.Options{})
	for name, c := range map[string]struct {
		damage func(file string) error
		file   string
		want   state.State
		stale  []string
	}{
		"missing plan": {os.Remove, "artifacts/page_plan.json", state.FactsReady,
			[]string{"drafts/docs/index.md", "page_plan.json", "patch_bundle.json", "validation_report.json"}},
		"changed draft": {func(file string) error { return os.WriteFile(file, []byte("other"), 0o600) }, "drafts/docs/index.md", state.PlanReady,
			[]string{"drafts/docs/index.md", "patch_bundle.json", "validation_report.json"}},
		"changed report": {func(file string) error { return os.WriteFile(file, nil, 0o600) }, "artifacts/validation_report.json", state.DraftReady,
			[]string{"validation_report.json"}},
	} {
		held := withOutputs(t, store, state.ReadyForPR)
		release(t, held)
		if err := c.damage(filepath.Join(folder, "runs", held.ID(), c.file)); err != nil {
			t.Fatal(err)
		}
		got, err := store.Resume(t.Context(), held.ID(), tester, run.Resuming{Stages: stages, Until: "DONE", Enqueue: noQueue})
		slices.Sort(got.Stale)
		if diff := cmp.Diff(run.Resumed{From: state.ReadyForPR, To: c.want, Enqueued: true, Stale: c.stale}, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

// 5.7, 18.10: force_from, nothing to do, and runs that have ended.
func TestResumeForcedIdleAndRefused(t *testing.T) {
	store := openStore(t, t.TempDir(), run.Options{})
	held := withOutputs(t, store, state.ReadyForPR)
	release(t, held)
	how := run.Resuming{Stages: stages, Enqueue: noQueue}
	got, err := store.Resume(t.Context(), held.ID(), tester, how)
	if err != nil || got.Enqueued || got.To != state.ReadyForPR {
		t.Errorf("idle: %+v, %v", got, err)
	}
	how.ForceFrom = state.PlanReady
	got, err = store.Resume(t.Context(), held.ID(), tester, how)
	if err != nil || got.To != state.PlanReady || len(got.Stale) != 3 {
		t.Errorf("forced: %+v, %v", got, err)
	}

	for _, resumable := range []bool{true, false} {
		failed := withOutputs(t, store, state.Drafting)
		if err := failed.Fail(t.Context(), snapshot.Failure{Class: "FAILED", ErrorCode: "X", Stage: "W5", Resumable: resumable}); err != nil {
			t.Fatal(err)
		}
		release(t, failed)
		got, err := store.Resume(t.Context(), failed.ID(), tester, run.Resuming{Stages: stages, Enqueue: noQueue})
		if resumable && (err != nil || got.From != state.Failed || got.To != state.PlanReady || status(t, store, failed.ID()).Failure != nil) {
			t.Errorf("failed: %+v, %v", got, err)
		}
		if !resumable && !errors.As(err, new(*state.IllegalError)) {
			t.Errorf("failed for good: %+v, %v", got, err)
		}
	}
	if _, err := store.Cancel(t.Context(), held.ID(), tester, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Resume(t.Context(), held.ID(), tester, how); !errors.As(err, new(*state.IllegalError)) {
		t.Errorf("cancelled: %v", err)
	}
}

// 18.9: resuming while a dead process's lease runs is put off until it ends; the
// executor that comes then plans it.
func TestResumeBehindADeadLease(t *testing.T) {
	now := newClock()
	store := openStore(t, t.TempDir(), run.Options{Clock: now.Now})
	held := withOutputs(t, store, state.Drafting)
	if err := held.Start(t.Context(), stages); err != nil { // it was queued, so nothing is rewound
		t.Fatal(err)
	}
	release(t, held)
	expires := now.Now().Add(30 * time.Second)
	dead := index.Lease{RunID: held.ID(), Owner: "dead", Operation: "advance_run", Expires: expires}
	if _, err := store.Index().Acquire(t.Context(), dead, 0, 0, now.Now()); err != nil {
		t.Fatal(err)
	}
	queue := &enqueued{}
	got, err := store.Resume(t.Context(), held.ID(), tester, run.Resuming{Stages: stages, ForceFrom: state.FactsReady, Enqueue: queue.take})
	if err != nil || !got.Enqueued || len(queue.notBefore) != 1 || !queue.notBefore[0].Equal(expires) {
		t.Fatalf("%+v, %v, not before %v", got, err, queue.notBefore)
	}
	now.Move(30 * time.Second)
	next := hold(t, store, held.ID())
	if err := next.Start(t.Context(), stages); err != nil {
		t.Fatal(err)
	}
	s := next.Snapshot()
	if s.State != state.FactsReady || s.Activity != snapshot.Running || s.ForceFrom != "" || !s.Artifacts["page_plan.json"].Stale {
		t.Errorf("%s, %s, %q", s.State, s.Activity, s.ForceFrom)
	}
}

// 5.7: a run that is being executed is left alone.
func TestResumeOfARunningRun(t *testing.T) {
	store := openStore(t, t.TempDir(), run.Options{})
	held := withOutputs(t, store, state.Drafting)
	if err := held.Start(t.Context(), stages); err != nil {
		t.Fatal(err)
	}
	got, err := store.Resume(t.Context(), held.ID(), tester, run.Resuming{Stages: stages, Enqueue: noQueue})
	if err != nil || got.Enqueued || got.To != state.Drafting {
		t.Errorf("%+v, %v", got, err)
	}
}

// 5.7: the same inputs are not worked on twice, unless an output is gone.
func TestWorkItemsAreSkipped(t *testing.T) {
	folder := t.TempDir()
	store := openStore(t, folder, run.Options{})
	held := hold(t, store, create(t, store))
	begin := func(sha string) (snapshot.WorkItem, bool) {
		t.Helper()
		item, skip, err := held.BeginItem(t.Context(), "W2", "", map[string]string{"repo_inventory.json": sha})
		if err != nil {
			t.Fatal(err)
		}
		return item, skip
	}
	finish := func(item snapshot.WorkItem) {
		t.Helper()
		if _, err := held.WriteArtifact(t.Context(), "product_facts.json", "", "W2", []byte("facts")); err != nil {
			t.Fatal(err)
		}
		if err := held.FinishItem(t.Context(), item, "product_facts.json"); err != nil {
			t.Fatal(err)
		}
	}
	item, skip := begin("a")
	if skip || item.ID != held.ID()+":W2:1:" {
		t.Errorf("first: %+v, %v", item, skip)
	}
	finish(item)
	for range 2 {
		if item, skip = begin("a"); !skip || item.Attempt != 1 {
			t.Errorf("again: %+v, %v", item, skip)
		}
	}
	item, skip = begin("b")
	if skip || item.Attempt != 2 {
		t.Errorf("other inputs: %+v, %v", item, skip)
	}
	if err := held.FailItem(t.Context(), item, "network", true); err != nil {
		t.Fatal(err)
	}
	if item, skip = begin("b"); skip || item.Attempt != 3 {
		t.Errorf("after a failure: %+v, %v", item, skip)
	}
	finish(item)
	if err := os.Remove(filepath.Join(folder, "runs", held.ID(), "artifacts/product_facts.json")); err != nil {
		t.Fatal(err)
	}
	if item, skip = begin("b"); skip || item.Attempt != 4 {
		t.Errorf("without its output: %+v, %v", item, skip)
	}
}

// 5.7: runs whose executor has died are interrupted, and queued again if so
// wished; those with a lease are left alone.
func TestRecover(t *testing.T) {
	for _, requeue := range []bool{true, false} {
		now := newClock()
		store := openStore(t, t.TempDir(), run.Options{Clock: now.Now})
		orphan := withOutputs(t, store, state.Linking)
		busy := withOutputs(t, store, state.Linking)
		for _, held := range []*run.Held{orphan, busy} {
			if err := held.Start(t.Context(), stages); err != nil {
				t.Fatal(err)
			}
		}
		release(t, orphan)
		queue := &enqueued{}
		changed, err := store.Recover(t.Context(), tester, requeue, queue.take)
		if diff := cmp.Diff([]string{orphan.ID()}, changed); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		s := status(t, store, orphan.ID())
		if requeue && (s.Activity != snapshot.Queued || len(queue.notBefore) == 0) {
			t.Errorf("auto: %s, %v", s.Activity, queue.notBefore)
		}
		if !requeue && (s.Activity != snapshot.Paused || s.PauseReason != snapshot.Interrupted || len(queue.notBefore) != 0) {
			t.Errorf("manual: %s, %s, %v", s.Activity, s.PauseReason, queue.notBefore)
		}
		next := hold(t, store, orphan.ID())
		if err := next.Start(t.Context(), stages); err != nil || next.Snapshot().State != state.DraftReady {
			t.Errorf("next executor: %v, %s", err, next.Snapshot().State)
		}
		if status(t, store, busy.ID()).Activity != snapshot.Running {
			t.Error("the busy run was touched")
		}
	}
}
