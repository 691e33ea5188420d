package queue_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"mcpworks/packs/launch/internal/queue"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/index"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"

	"github.com/google/go-cmp/cmp"
)

// A test starts its own program again as another process on a data directory:
// the first variable names the directory, the second what it does there.
const (
	otherFolder = "QUEUE_TEST_FOLDER"
	otherRole   = "QUEUE_TEST_ROLE"
)

func TestMain(m *testing.M) {
	if folder := os.Getenv(otherFolder); folder != "" {
		if err := other(folder, os.Getenv(otherRole)); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// leaseTTL is short, so that tests need not wait for 30 s.
const leaseTTL = 500 * time.Millisecond

// other executes runs until its standard input ends, and says what it did. In
// the role "stuck" it begins runs and finishes none, in the role "mortal" it is
// quick to take over from those that were killed.
func other(folder, role string) error {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	options := run.Options{Migrate: queue.Migrate}
	if role != "worker" {
		options.LeaseTTL, options.RenewEvery = leaseTTL, leaseTTL/5
	}
	store, err := run.Open(ctx, folder, options)
	if err != nil {
		return err
	}
	step := func(ctx context.Context, held *run.Held) (bool, error) {
		again, err := advance(ctx, held)
		if err == nil && !again {
			fmt.Println("finished", held.ID())
		}
		return again, err
	}
	if role == "stuck" {
		step = func(ctx context.Context, held *run.Held) (bool, error) {
			if err := held.Advance(ctx, snapshot.Change{New: state.ClonedInputs}); err != nil {
				return false, err
			}
			fmt.Println("begun", held.ID())
			<-ctx.Done()
			return false, ctx.Err()
		}
	}
	q, err := queue.New(store, stages, step, queue.Options{
		Concurrency: 2, PerProfile: 3, Requeue: role == "mortal", SweepEvery: leaseTTL / 5, Poll: 20 * time.Millisecond, Logger: complaints(),
	})
	if err != nil {
		return err
	}
	fmt.Println("ready")
	return errors.Join(q.Work(ctx), store.Close())
}

// complaints puts warnings of the queue on standard output.
func complaints() *slog.Logger {
	return slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// process is another process and what it says.
type process struct {
	command *exec.Cmd
	input   io.Closer
	lines   *bufio.Reader
}

func start(t *testing.T, folder, role string) *process {
	t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), otherFolder+"="+folder, otherRole+"="+role)
	command.Stderr = os.Stderr
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{command, input, bufio.NewReader(output)}
	t.Cleanup(func() { p.kill() })
	if word := p.hear(t); word != "ready" {
		t.Fatalf("the process says %q", word)
	}
	return p
}

// hear returns the next line; empty at the end.
func (p *process) hear(t *testing.T) string {
	t.Helper()
	line, err := p.lines.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	return strings.TrimSpace(line)
}

func (p *process) kill() {
	_ = p.command.Process.Signal(syscall.SIGKILL)
	_ = p.command.Wait()
}

// R-20, 15.4: three processes execute the runs that a fourth has made, and all of
// them see all runs. Each step is done once; SQLite refuses nobody.
func TestSeveralProcesses(t *testing.T) {
	folder := t.TempDir()
	store := openStore(t, folder, run.Options{})
	q := newQueue(t, store, advance, queue.Options{})
	var processes []*process
	for range 3 {
		processes = append(processes, start(t, folder, "worker"))
	}
	count := 60
	if testing.Short() {
		count = 15
	}
	heard := make(chan string, 10*count)
	var listening sync.WaitGroup
	for _, p := range processes {
		listening.Go(func() {
			for line := p.hear(t); line != ""; line = p.hear(t) {
				heard <- line
			}
		})
	}
	var ids, got []string
	for i := range count {
		ids = append(ids, create(t, store, q, fmt.Sprint(i%3), ""))
	}
	for len(got) < count {
		id, ok := strings.CutPrefix(<-heard, "finished ")
		if !ok {
			t.Fatalf("a process says %q", id)
		}
		got = append(got, id)
	}
	for _, p := range processes {
		p.input.Close()
	}
	listening.Wait()
	for _, p := range processes {
		if err := p.command.Wait(); err != nil {
			t.Errorf("a process ended with %v", err)
		}
	}
	if len(heard) > 0 {
		t.Errorf("a process says %q", <-heard)
	}
	slices.Sort(ids)
	slices.Sort(got)
	if diff := cmp.Diff(ids, got); diff != "" {
		t.Errorf("finished (-want +got):\n%s", diff)
	}
	for _, id := range ids {
		var started, changed int
		if err := store.Events(id, func(e eventlog.Event) {
			switch e.Type {
			case snapshot.RunStarted:
				started++
			case snapshot.RunStateChanged:
				changed++
			}
		}); err != nil || started == 0 || started >= len(way) || changed != len(way)-1 {
			t.Errorf("%s: %d steps, %d changes of state, %v", id, started, changed, err)
		}
	}
	page, _, err := store.List(t.Context(), index.Filter{States: []state.State{way[len(way)-1]}}, 200, "")
	if err != nil || len(page) != count {
		t.Errorf("%d runs in the list, %v", len(page), err)
	}
}

// the executor of a run is killed. Another process on the data directory
// lists and reads the run all the time, and goes on with it when the lease has
// ended: by itself with recovery auto, by a resume with recovery manual.
func TestKilledExecutor(t *testing.T) {
	for _, requeue := range []bool{true, false} {
		t.Run(fmt.Sprintf("requeue %v", requeue), func(t *testing.T) {
			folder := t.TempDir()
			store := openStore(t, folder, run.Options{LeaseTTL: leaseTTL, RenewEvery: leaseTTL / 5, LockWait: time.Millisecond})
			finished := make(chan struct{})
			q := newQueue(t, store, func(ctx context.Context, held *run.Held) (bool, error) {
				again, err := advance(ctx, held)
				if !again {
					close(finished)
				}
				return again, err
			}, queue.Options{Requeue: requeue, SweepEvery: 50 * time.Millisecond})
			id := create(t, store, q, "default", "")
			executor := start(t, folder, "stuck")
			if line := executor.hear(t); line != "begun "+id {
				t.Fatalf("the process says %q", line)
			}
			if s := status(t, store, id); s.State != state.ClonedInputs || s.Activity != snapshot.Running {
				t.Errorf("%s, %s", s.State, s.Activity)
			}
			by := run.Holder{Connection: "c", Operation: "resume_run"}
			how := run.Resuming{Stages: stages, Enqueue: q.Again}
			if got, err := store.Resume(t.Context(), id, by, how); err != nil || got.Enqueued {
				t.Errorf("resume while it is executed: %+v, %v", got, err)
			}
			executor.kill()
			if !requeue {
				if got, err := store.Resume(t.Context(), id, by, how); err != nil || !got.Enqueued {
					t.Errorf("resume: %+v, %v", got, err)
				}
			}
			work(t, q)
			<-finished
		})
	}
}

// executors are killed at random and others started. In the end every
// run has gone its way, and no event log is damaged.
func TestExecutorsKilledAtRandom(t *testing.T) {
	folder := t.TempDir()
	options := run.Options{LeaseTTL: leaseTTL, RenewEvery: leaseTTL / 5}
	store := openStore(t, folder, options)
	q := newQueue(t, store, advance, queue.Options{Requeue: true, PerProfile: 3, SweepEvery: leaseTTL / 5})
	kills := 12
	if testing.Short() {
		kills = 3
	}
	var ids []string
	for range kills {
		p := start(t, folder, "mortal")
		for i := range 6 {
			ids = append(ids, create(t, store, q, fmt.Sprint(i%2), ""))
		}
		for range rand.IntN(3) { // until it has finished some, or at once
			p.hear(t)
		}
		p.kill()
	}
	work(t, q)
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for _, id := range ids {
		for s := status(t, store, id); s.Activity != snapshot.Paused; s = status(t, store, id) {
			<-look.C
		}
		r, err := store.Open(id)
		if err != nil {
			t.Fatal(err)
		}
		if s := r.Snapshot(); r.Broken() != nil || s.State != way[len(way)-1] || s.PauseReason != snapshot.StopAt {
			t.Errorf("%s: %s, %s, %+v, %v", id, s.State, s.PauseReason, s.Failure, r.Broken())
		}
		r.Close()
	}
}
