package run_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/durable"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"
)

// victimFolder names the data directory of a process that is there to be killed.
const victimFolder = "RUN_TEST_VICTIM"

func TestMain(m *testing.M) {
	if folder := os.Getenv(victimFolder); folder != "" {
		if err := victim(folder); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// victim does the work of one run to its end, over and over for new runs. On
// standard output it says what it has been told is done: the number of the last
// event, and the artifacts.
func victim(folder string) error {
	ctx := context.Background()
	store, err := run.Open(ctx, folder, run.Options{LockWait: 10 * time.Second, LeaseTTL: time.Millisecond})
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		id := os.Getenv("RUN_TEST_RUN")
		if n > 0 || id == "" {
			if id, _, err = store.Create(ctx, request("")); err != nil {
				return err
			}
		}
		fmt.Println("run", id)
		held, err := store.Hold(ctx, id, tester, run.Place{})
		if err != nil {
			return err
		}
		if err := execute(ctx, held, func(name, sha string) { fmt.Println("artifact", id, name, sha) }); err != nil {
			return err
		}
		fmt.Println("done", id)
		if err := held.Release(ctx); err != nil {
			return err
		}
	}
}

// execute is a small pipeline: one artifact for each stage, whose content comes
// from those before it.
func execute(ctx context.Context, held *run.Held, told func(name, sha string)) error {
	if s := held.Snapshot(); s.LastSeq > 2 && !s.State.Terminal() {
		if _, err := held.Rewind(ctx, stages, ""); err != nil {
			return err
		}
	}
	if held.Snapshot().State.Terminal() {
		return nil
	}
	if err := held.Start(ctx, stages); err != nil {
		return err
	}
	steps := []struct {
		from, to state.State
		worker   string
		output   string
	}{
		{state.Created, state.ClonedInputs, "", ""},
		{state.ClonedInputs, state.Ingested, "W1", "repo_inventory.json"},
		{state.Ingested, state.FactsReady, "W2", "product_facts.json"},
		{state.FactsReady, state.PlanReady, "W4", "page_plan.json"},
		{state.PlanReady, state.Drafting, "", ""},
		{state.Drafting, state.DraftReady, "W5", "drafts/docs/index.md"},
		{state.DraftReady, state.Linking, "W6", "patch_bundle.json"},
		{state.Linking, state.Validating, "W7", "validation_report.json"},
		{state.Validating, state.ReadyForPR, "", ""},
		{state.ReadyForPR, state.Done, "", ""},
	}
	before := "start"
	for _, step := range steps {
		s := held.Snapshot()
		if step.worker != "" {
			item, skip, err := held.BeginItem(ctx, step.worker, "", map[string]string{"before": before})
			if err != nil {
				return err
			}
			if !skip {
				if err := held.Append(ctx, note(step.worker), note("more")); err != nil {
					return err
				}
				text := strings.Repeat(step.worker+" after "+before+"\n", 500)
				written, err := held.WriteArtifact(ctx, step.output, "", step.worker, []byte(text))
				if err != nil {
					return err
				}
				told(step.output, written.SHA256)
				if err := held.FinishItem(ctx, item, step.output); err != nil {
					return err
				}
			}
			before = held.Snapshot().Artifacts[step.output].SHA256
		}
		if s.State == step.from {
			if err := held.Advance(ctx, snapshot.Change{New: step.to}); err != nil {
				return err
			}
		}
	}
	return nil
}

// a process is killed at many points while it makes runs, appends events
// and writes artifacts. Each time the data directory opens, every log verifies,
// nothing that was told is lost, and the run goes on to the same end.
func TestKilledAtAnyPoint(t *testing.T) {
	kills := 200
	if testing.Short() {
		kills = 20
	}
	reference := finalArtifacts(t, finishedRun(t))
	folder := t.TempDir()
	current, interrupted := "", 0
	for kill := range kills {
		told := killOne(t, folder, current, time.Duration(rand.IntN(20_000))*time.Microsecond, rand.IntN(9))
		verifyAll(t, folder, told)
		if t.Failed() {
			t.Fatalf("after kill %d", kill)
		}
		if current = ""; told.last != "" && !told.done[told.last] {
			current = told.last // the next process goes on with it
			interrupted++
		}
	}
	if interrupted < kills/4 {
		t.Errorf("only %d of %d kills met a run at work", interrupted, kills)
	}
	store := openStore(t, folder, run.Options{})
	finished := 0
	for _, id := range allRuns(t, folder) {
		held, err := store.Hold(t.Context(), id, tester, run.Place{})
		if err != nil {
			t.Fatal(err)
		}
		if err := execute(t.Context(), held, func(string, string) {}); err != nil {
			t.Fatalf("finish %s: %v", id, err)
		}
		s := held.Snapshot()
		for name, sha := range reference {
			if s.Artifacts[name].SHA256 != sha || s.Artifacts[name].Stale {
				t.Errorf("%s: %s differs from that of a run without interruption", id, name)
			}
		}
		if s.State == state.Done {
			finished++
		}
		noTemporaryFiles(t, filepath.Join(folder, "runs", id))
		release(t, held)
	}
	t.Logf("%d runs, %d finished, %d kills met a run at work", len(allRuns(t, folder)), finished, interrupted)
}

// told is what a victim said before it died.
type told struct {
	last      string
	runs      []string
	done      map[string]bool
	artifacts map[string]map[string]string
}

// killOne starts a process and kills it after some time from its first word, or
// some words later.
func killOne(t *testing.T, folder, runID string, after time.Duration, words int) told {
	t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), victimFolder+"="+folder, "RUN_TEST_RUN="+runID)
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	heard := told{done: map[string]bool{}, artifacts: map[string]map[string]string{}}
	var timer *time.Timer
	lines := bufio.NewReader(output)
	for n := 0; ; n++ {
		line, err := lines.ReadString('\n')
		if err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrClosed) {
				t.Fatal(err)
			}
			break
		}
		if n == words && timer == nil {
			timer = time.AfterFunc(after, func() { _ = command.Process.Signal(syscall.SIGKILL) })
		}
		heard.hear(t, strings.Fields(line))
	}
	if err := command.Wait(); err == nil || command.ProcessState.ExitCode() != -1 {
		t.Fatalf("the process ended by itself: %v", err)
	}
	timer.Stop()
	return heard
}

func (h *told) hear(t *testing.T, words []string) {
	t.Helper()
	switch words[0] {
	case "run":
		h.last = words[1]
		h.runs = append(h.runs, words[1])
	case "artifact":
		if h.artifacts[words[1]] == nil {
			h.artifacts[words[1]] = map[string]string{}
		}
		h.artifacts[words[1]][words[2]] = words[3]
	case "done":
		h.done[words[1]] = true
	default:
		t.Errorf("the process says: %s", strings.Join(words, " "))
	}
}

// verifyAll opens the data directory as the next process would.
func verifyAll(t *testing.T, folder string, heard told) {
	t.Helper()
	store, err := run.Open(t.Context(), folder, run.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for _, id := range heard.runs {
		if _, ok, err := store.Index().Get(t.Context(), id); !ok || err != nil {
			t.Errorf("%s is not in the index: %v", id, err)
		}
		r, err := store.Open(id)
		if err != nil {
			t.Errorf("open %s: %v", id, err)
			continue
		}
		if err := r.Broken(); err != nil {
			t.Errorf("%s: %v", id, err)
		}
		replayed := r.Snapshot()
		for name, sha := range heard.artifacts[id] {
			if replayed.Artifacts[name].SHA256 != sha {
				t.Errorf("%s: %s was written and is not in the log", id, name)
			}
		}
		if heard.done[id] && replayed.State != state.Done {
			t.Errorf("%s was done and is %s", id, replayed.State)
		}
		status, err := store.Status(t.Context(), id)
		if err != nil {
			t.Errorf("status of %s: %v", id, err)
		} else if status.State != replayed.State || status.LastSeq != replayed.LastSeq {
			t.Errorf("%s: the status is not that of the log", id)
		}
		r.Close()
	}
	for _, id := range allRuns(t, folder) {
		if _, ok, err := store.Index().Get(t.Context(), id); !ok || err != nil {
			t.Errorf("%s is not in the index: %v", id, err)
		}
	}
}

func allRuns(t *testing.T, folder string) (ids []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(folder, "runs"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		ids = append(ids, entry.Name())
	}
	return ids
}

func finishedRun(t *testing.T) *run.Held {
	t.Helper()
	store := openStore(t, t.TempDir(), run.Options{})
	held := hold(t, store, create(t, store))
	if err := execute(t.Context(), held, func(string, string) {}); err != nil {
		t.Fatal(err)
	}
	return held
}

func finalArtifacts(t *testing.T, held *run.Held) map[string]string {
	t.Helper()
	shas := map[string]string{}
	for name, entry := range held.Snapshot().Artifacts {
		shas[name] = entry.SHA256
	}
	if len(shas) != 6 {
		t.Fatalf("%d artifacts", len(shas))
	}
	return shas
}

func noTemporaryFiles(t *testing.T, folder string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(name string, _ fs.DirEntry, err error) error {
		if strings.HasPrefix(filepath.Base(name), durable.TempPrefix) {
			t.Errorf("%s was left behind", filepath.Base(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
