package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

// together is how many runs are killed at once; they slow each other down, so that
// death may come later than the end of an undisturbed run.
const (
	together = 2
	latest   = 1.5
)

// A killing is a run that is executed by processes that are killed.
type killing struct {
	home
	file string // the run_config
	want map[string]string
	took time.Duration // an uninterrupted run
}

// kills has the program execute runs up to their pull requests, kills it at
// random times, resumes, and kills it again perhaps; in the end each run has to
// be as if nothing had happened (R-3, S-10). Every second death takes along what
// the program has started, as the end of a machine does.
func kills(ctx context.Context, b *bench) error {
	p, err := b.newProduct(ctx, "victim", 24, 1)
	if err != nil {
		return err
	}
	whole := killing{file: filepath.Join(b.dir, "victim.json")}
	if err := p.writeConfig(whole.file, sites[0], "DONE"); err != nil {
		return err
	}
	if err := whole.measure(ctx, b); err != nil {
		return fmt.Errorf("an uninterrupted run: %w", err)
	}
	fmt.Printf("an uninterrupted run takes %v; seed %d\n", whole.took.Round(time.Millisecond), b.seed)
	began := time.Now()
	var counting sync.Mutex
	var working sync.WaitGroup
	died, runs, states, problems := 0, 0, map[string]int{}, []error{}
	for worker := range together {
		chance := rand.New(rand.NewPCG(b.seed, uint64(worker)))
		working.Go(func() {
			for ctx.Err() == nil {
				counting.Lock()
				enough := died >= b.kills || len(problems) > 10
				counting.Unlock()
				if enough {
					return
				}
				deaths, at, err := whole.again(ctx, b, chance)
				counting.Lock()
				runs, died = runs+1, died+deaths
				for _, state := range at {
					states[state]++
				}
				if err != nil {
					problems = append(problems, err)
				}
				counting.Unlock()
			}
		})
	}
	working.Wait()
	fmt.Printf("%d kills of %d runs in %v; found in %v\n", died, runs, time.Since(began).Round(time.Second), states)
	return errors.Join(append(problems, ctx.Err())...)
}

// measure executes the run without interruption.
func (k *killing) measure(ctx context.Context, b *bench) (err error) {
	for range 3 { // the first one warms up
		if k.home, err = b.newHome(); err != nil {
			return err
		}
		began := time.Now()
		s, err := k.ask(ctx, "start", k.file)
		if err != nil {
			return err
		}
		if took := time.Since(began); k.took == 0 || took < k.took {
			k.took = took
		}
		if err := k.ended(ctx, s); err != nil {
			return err
		}
		if k.want, err = k.determined(s.RunID); err != nil {
			return err
		}
		remove(k.dir)
	}
	return nil
}

// again executes the run once more, with deaths. A home with a problem is kept
// until the end of the program.
func (k killing) again(ctx context.Context, b *bench, chance *rand.Rand) (deaths int, at []string, err error) {
	if k.home, err = b.newHome(); err != nil {
		return 0, nil, err
	}
	next := []string{"start", k.file, "--key", "one"}
	var s status
	for dies := true; dies; dies = chance.IntN(3) == 0 {
		killed, err := k.kill(ctx, chance, next)
		if err != nil {
			return deaths, at, err
		}
		if killed {
			deaths++
		}
		if err := k.endLeases(ctx); err != nil {
			return deaths, at, err
		}
		if s, err = k.ask(ctx, "start", k.file, "--key", "one", "--detach"); err != nil {
			return deaths, at, err
		}
		if s, err = k.ask(ctx, "status", s.RunID); err != nil {
			return deaths, at, err
		}
		at = append(at, s.State)
		next = []string{"resume", s.RunID, "--until", "DONE"}
		if s.State == "DONE" {
			break
		}
	}
	if s.State != "DONE" {
		if s, err = k.ask(ctx, next...); err != nil {
			return deaths, at, fmt.Errorf("after %v: %w", at, err)
		}
	}
	if err := k.ended(ctx, s); err != nil {
		return deaths, at, fmt.Errorf("%s after %v: %w", s.RunID, at, err)
	}
	got, err := k.determined(s.RunID)
	if err := errors.Join(err, difference(k.want, got)); err != nil {
		return deaths, at, fmt.Errorf("%s after %v: %w", s.RunID, at, err)
	}
	remove(k.dir)
	return deaths, at, nil
}

// ended demands that a run has ended well and left nothing else.
func (k killing) ended(ctx context.Context, s status) error {
	if s.State != "DONE" {
		return fmt.Errorf("it is %s, %+v", s.State, s.Failure)
	}
	_, err := k.events(s.RunID)
	runs, err2 := os.ReadDir(filepath.Join(k.data(), "runs"))
	if err2 == nil && len(runs) != 1 {
		err2 = fmt.Errorf("there are %d runs", len(runs))
	}
	return errors.Join(err, err2, k.published(ctx, sites[0]), k.tidy(ctx))
}

// kill runs the program and kills it some time later, alone or with all that it
// has started. It is false if the program was faster.
func (k killing) kill(ctx context.Context, chance *rand.Rand, args []string) (bool, error) {
	cmd := k.command(ctx, args...)
	if err := cmd.Start(); err != nil {
		return false, err
	}
	timer := time.NewTimer(time.Duration(latest * chance.Float64() * float64(k.took)))
	defer timer.Stop()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		return false, err
	case <-timer.C:
	}
	if chance.IntN(2) == 0 {
		killTree(cmd.Process.Pid)
	}
	_ = cmd.Process.Kill() // it may have ended by now
	err := <-ended
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return false, err
	}
	return cmd.ProcessState.ExitCode() < 0, nil
}
