package pipeline_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// 18.6, C-7: a run stops where it shall, and goes on from there.
func TestStops(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	url := product(t, "sparse")
	id := b.start(settings("sparse", url, map[string]any{"stop_at": "PLAN_READY"}))
	expect := func(s *snapshot.Snapshot, at state.State, section state.Section) {
		t.Helper()
		if s.State != at || s.Activity != snapshot.Paused || s.PauseReason != snapshot.StopAt || s.Sections["docs"] != section {
			t.Fatalf("the run is %s, %s (%s), docs are %s; failure %+v", s.State, s.Activity, s.PauseReason, s.Sections["docs"], s.Failure)
		}
	}
	expect(b.work(id), state.PlanReady, state.Outlined)
	expect(b.resume(id, "next_stable"), state.DraftReady, state.Drafted)
	expect(b.resume(id, "READY_FOR_PR"), state.ReadyForPR, state.SectionDone)

	drafted := b.work(b.start(settings("sparse", url, map[string]any{"stop_at": "DRAFT_READY"})))
	expect(drafted, state.DraftReady, state.Drafted)
	if _, reviewed := drafted.Artifacts[artifact.ReviewReportName]; !reviewed {
		t.Error("the drafts were not reviewed")
	}
}

// 5.7: what was changed behind the back of a run is made again, what follows from
// it too, and it comes out the same; what stands is skipped. The worktree and the
// repositories are not trusted to be there.
func TestStaleArtifact(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.start(settings("go-cli", product(t, "go-cli"), nil))
	expectReady(t, b, b.work(id))
	before := b.determined(id)
	folder := filepath.Join(b.folder, "runs", id)
	if err := os.WriteFile(filepath.Join(folder, "artifacts", artifact.PagePlanName), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(folder, "work", "site")); err != nil {
		t.Fatal(err)
	}
	s := b.resume(id, "DONE")
	if s.State != state.Done {
		t.Fatalf("the run is %s, failure %+v", s.State, s.Failure)
	}
	if diff := cmp.Diff(before, b.determined(id)); diff != "" {
		t.Error(diff)
	}
	attempts := func(worker string) (most int) {
		for _, item := range s.WorkItems {
			if item.Worker == worker && item.Scope == "" {
				most = max(most, item.Attempt)
			}
		}
		return most
	}
	if attempts("W2") != 1 || attempts("W4") != 2 {
		t.Errorf("W2 was tried %d times, W4 %d times", attempts("W2"), attempts("W4"))
	}
}

// 5.7(8): force_from does the work again, and it comes out the same.
func TestForceFrom(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.start(settings("sparse", product(t, "sparse"), nil))
	expectReady(t, b, b.work(id))
	before := b.determined(id)
	for _, from := range []state.State{state.Created, state.DraftReady} {
		_, err := b.store.Resume(t.Context(), id, holder, run.Resuming{ForceFrom: from, Stages: b.pipeline.Stages(), Enqueue: enqueueNothing})
		if err != nil {
			t.Fatal(err)
		}
		expectReady(t, b, b.work(id))
		if diff := cmp.Diff(before, b.determined(id)); diff != "" {
			t.Errorf("from %s: %s", from, diff)
		}
	}
}

// 5.3, 6: the log tells of every stage and every gate.
func TestEvents(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.start(settings("sparse", product(t, "sparse"), nil))
	b.work(id)
	counts := map[string]int{}
	if err := b.store.Events(id, func(e eventlog.Event) { counts[e.Type]++ }); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{
		snapshot.InputsCloned, snapshot.WorkItemQueued, snapshot.WorkItemStarted, snapshot.WorkItemFinished, snapshot.ArtifactWritten, snapshot.IssueOpened,
		snapshot.SectionChanged, snapshot.RunStateChanged, snapshot.RunPaused, "GATE_RUN_STARTED", "GATE_RUN_FINISHED",
	} {
		if counts[kind] == 0 {
			t.Errorf("there is no %s", kind)
		}
	}
	if counts["GATE_RUN_STARTED"] != counts["GATE_RUN_FINISHED"] || counts["GATE_RUN_STARTED"] < 15 {
		t.Errorf("%d gates were started, %d finished", counts["GATE_RUN_STARTED"], counts["GATE_RUN_FINISHED"])
	}
	if order := slices.IndexFunc(b.pipeline.Stages(), func(s run.Stage) bool { return s.Worker == "W6" }); order < 0 {
		t.Error("W6 is no stage")
	}
}
