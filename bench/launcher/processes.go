package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

// How long a run may stand still when its process has been killed, and when it has
// ended in order: the lease, and what the queue needs to notice.
const (
	maxAfterDeath = 35 * time.Second
	maxAfterEnd   = 3 * time.Second
)

// processes has two stdio servers on one data directory. One executes a run,
// and the other one lists it, reads it, and is refused to change it. Then the
// first is killed, or its client hangs up, and the other goes on with the run.
func processes(ctx context.Context, b *bench) error {
	p, err := b.newProduct(ctx, "shared", 2*b.files, 1)
	if err != nil {
		return err
	}
	for _, way := range []struct {
		name string
		most time.Duration
		end  func(context.Context, *client.Session) error
	}{
		{"the executor is killed", maxAfterDeath, func(_ context.Context, s *client.Session) error {
			process, err := os.FindProcess(s.Process().Pid())
			if err != nil {
				return err
			}
			if err := process.Kill(); err != nil {
				return err
			}
			<-s.Process().Exited()
			return nil
		}},
		{"the executor's client hangs up", maxAfterEnd, func(ctx context.Context, s *client.Session) error { return s.Close(ctx) }},
	} {
		h, err := b.newHome()
		if err != nil {
			return err
		}
		still, err := h.handedOver(ctx, p, way.end)
		if err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
		b.promise(way.name+": until another goes on", still.Seconds(), way.most.Seconds(), "s")
		remove(h.dir)
	}
	return nil
}

// handedOver returns how long a run stood still between its first executor and
// its second.
func (h home) handedOver(ctx context.Context, p product, end func(context.Context, *client.Session) error) (still time.Duration, err error) {
	first, err := h.serve(ctx)
	if err != nil {
		return 0, err
	}
	defer first.Close(ctx)
	var begun status
	if err := use(ctx, first, "launch_start_run", map[string]any{"run_config": p.config(sites[0], p.commits[0], "READY_FOR_PR")}, &begun); err != nil {
		return 0, err
	}
	if _, err := until(ctx, first, begun.RunID, func(s status) bool { return s.Activity == "running" }); err != nil {
		return 0, err
	}
	second, err := h.serve(ctx)
	if err != nil {
		return 0, err
	}
	defer second.Close(ctx)
	if err := h.looksOn(ctx, second, begun.RunID); err != nil {
		return 0, err
	}
	if err := end(ctx, first); err != nil {
		return 0, err
	}
	before, err := h.events(begun.RunID)
	if err != nil {
		return 0, err
	}
	ended := time.Now()
	if err := use(ctx, second, "resume_run", map[string]any{"run_id": begun.RunID}, &status{}); err != nil {
		return 0, err
	}
	for len(before) > 0 {
		events, err := h.events(begun.RunID)
		if err != nil {
			return 0, err
		}
		if started := events[len(before):]; len(started) > 0 && started[len(started)-1].Type != "RUN_QUEUED" {
			break
		}
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return 0, err
		}
	}
	still = time.Since(ended)
	last, err := until(ctx, second, begun.RunID, func(s status) bool { return s.Activity != "running" && s.Activity != "queued" })
	if err == nil && last.State != "READY_FOR_PR" {
		err = fmt.Errorf("the run is %s, %+v; the server said %s", last.State, last.Failure, complaints(second.Process().Stderr()))
	}
	return still, err
}

// complaints are the lines of a log that tell of errors.
func complaints(log string) (lines []string) {
	for line := range strings.Lines(log) {
		if strings.Contains(line, `"ERROR"`) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// looksOn has a server look at a run that another one executes.
func (h home) looksOn(ctx context.Context, s *client.Session, runID string) error {
	var page struct{ Runs []status }
	if err := use(ctx, s, "list_runs", map[string]any{}, &page); err != nil {
		return err
	}
	if len(page.Runs) != 1 || page.Runs[0].RunID != runID {
		return fmt.Errorf("it lists %+v", page.Runs)
	}
	var now status
	if err := use(ctx, s, "get_run_status", map[string]any{"run_id": runID}, &now); err != nil {
		return err
	}
	if now.Activity != "running" {
		return fmt.Errorf("the run is %s already; more -files are needed", now.State)
	}
	return nil
}

// serve starts a server.
func (h home) serve(ctx context.Context) (*client.Session, error) {
	return client.Connect(ctx, client.Command{
		Args: []string{h.program, "--data-dir", h.data(), "--profiles-dir", h.profiles()},
		Env:  []string{"LAUNCHER_LIMITS_CALLS_PER_MINUTE=100000", "TMPDIR=" + filepath.Join(h.dir, "tmp"), "PATH"}, Grace: 30 * time.Second,
	}, client.Options{Info: mcp.Implementation{Name: "bench", Version: "0"}})
}

// use calls a tool and reads a part of its answer.
func use(ctx context.Context, s *client.Session, tool string, arguments map[string]any, answer any) error {
	result, err := s.CallTool(ctx, tool, arguments)
	if err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	if result.IsError {
		return fmt.Errorf("%s: %s", tool, result.Raw)
	}
	return json.Unmarshal(result.Raw, &struct {
		Structured any `json:"structuredContent"`
	}{answer})
}

// until waits until a run is as it should be.
func until(ctx context.Context, s *client.Session, runID string, reached func(status) bool) (now status, err error) {
	for {
		now = status{}
		if err := use(ctx, s, "get_run_status", map[string]any{"run_id": runID}, &now); err != nil || reached(now) {
			return now, err
		}
		if strings.HasPrefix(now.Activity, "finished") {
			return now, errors.New("the run has ended")
		}
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return now, err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
