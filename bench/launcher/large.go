package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"time"

	"mcpworks/packs/launch"
)

// maxLarge is how long a product of 300 files may take up to READY_FOR_PR.
const maxLarge = 10 * time.Second

// large times a large product from its start until it is ready for its pull
// request, with the program. With -profile it does so once more in this process.
func large(ctx context.Context, b *bench) error {
	p, err := b.newProduct(ctx, "large", b.files, 1)
	if err != nil {
		return err
	}
	file := filepath.Join(b.dir, "large.json")
	if err := p.writeConfig(file, sites[0], "READY_FOR_PR"); err != nil {
		return err
	}
	var times []time.Duration
	for range 3 {
		h, err := b.newHome()
		if err != nil {
			return err
		}
		began := time.Now()
		s, err := h.ask(ctx, "start", file)
		if err != nil {
			return err
		}
		times = append(times, time.Since(began))
		if s.State != "READY_FOR_PR" {
			return fmt.Errorf("the run is %s", s.State)
		}
		remove(h.dir)
	}
	slices.Sort(times)
	b.promise(fmt.Sprintf("%d files, start to READY_FOR_PR, median", b.files), times[1].Seconds(), maxLarge.Seconds(), "s")
	if b.profile == "" {
		return nil
	}
	return b.profiled(ctx, p)
}

// profiled executes the run in this process under the profiler.
func (b *bench) profiled(ctx context.Context, p product) error {
	h, err := b.newHome()
	if err != nil {
		return err
	}
	out, err := os.Create(b.profile)
	if err != nil {
		return err
	}
	defer out.Close()
	l, stop, err := h.launcher(ctx, 1)
	if err != nil {
		return err
	}
	defer stop()
	if err := pprof.StartCPUProfile(out); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	id, err := startRun(ctx, l, p.config(sites[0], p.commits[0], "READY_FOR_PR"))
	if err != nil {
		return err
	}
	return await(ctx, l, []string{id}, "READY_FOR_PR")
}

// launcher opens the data directory in this process and executes runs until stop
// is called.
func (h home) launcher(ctx context.Context, concurrency int) (l *launch.Launcher, stop func() error, err error) {
	l, err = launch.New(ctx, launch.Config{DataDir: h.data(), ProfilesDir: h.profiles(), Concurrency: concurrency, PerProfile: perProfile})
	if err != nil {
		return nil, nil, err
	}
	working, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- l.Work(working) }()
	return l, func() error {
		cancel()
		if err := <-ended; err != nil {
			return err
		}
		return l.Close()
	}, nil
}

// call uses a tool and reads a part of its answer.
func call(ctx context.Context, l *launch.Launcher, tool string, arguments map[string]any, answer any) error {
	text, err := json.Marshal(arguments)
	if err != nil {
		return err
	}
	said, err := l.Call(ctx, tool, text)
	if err != nil {
		return err
	}
	return json.Unmarshal(said, answer)
}

func startRun(ctx context.Context, l *launch.Launcher, config map[string]any) (string, error) {
	var begun status
	err := call(ctx, l, "launch_start_run", map[string]any{"run_config": config}, &begun)
	return begun.RunID, err
}

// await waits until all runs are in a state and rest.
func await(ctx context.Context, l *launch.Launcher, ids []string, state string) error {
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for _, id := range ids {
		for {
			var s status
			if err := call(ctx, l, "get_run_status", map[string]any{"run_id": id}, &s); err != nil {
				return err
			}
			if s.Activity == "paused" || s.Activity == "finished" {
				if s.State != state {
					return fmt.Errorf("%s is %s, %+v", id, s.State, s.Failure)
				}
				break
			}
			select {
			case <-look.C:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	}
	return nil
}
