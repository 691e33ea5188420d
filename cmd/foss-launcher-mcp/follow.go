package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"mcpworks/packs/launch"
)

// lookEvery is how often a run is looked at.
const lookEvery = 200 * time.Millisecond

// follow starts a run, or lets it go on, and executes it here until it rests,
// unless it is to be left to others. The answer is then its status.
func follow(tool string, arguments func(*call) (map[string]any, error)) func(context.Context, *call) ([]byte, error) {
	return func(ctx context.Context, c *call) ([]byte, error) {
		given, err := arguments(c)
		if err != nil {
			return nil, err
		}
		return c.with(ctx, func(l *launch.Launcher) ([]byte, error) {
			answer, err := callTool(ctx, l, tool, given)
			if err != nil || c.Has("--detach") {
				return shown(answer), err
			}
			var begun struct {
				RunID string `json:"run_id"`
			}
			if err := json.Unmarshal(answer, &begun); err != nil {
				return nil, err
			}
			return c.execute(ctx, l, begun.RunID)
		})
	}
}

// A status is what is shown of a run while it goes on.
type status struct {
	State       string
	Activity    string
	PauseReason string `json:"pause_reason"`
	Progress    struct {
		Stage       string
		Done, Total int
	}
	Failure *struct {
		Class, Message, Stage string
		Code                  string `json:"error_code"`
		Resumable             bool
	}
}

// execute works until a run rests.
func (c *call) execute(ctx context.Context, l *launch.Launcher, runID string) ([]byte, error) {
	working, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- l.Work(working) }()
	answer, last, err := c.watch(ctx, l, runID)
	stop()
	if err := errors.Join(err, <-ended); err != nil {
		if ctx.Err() != nil {
			fmt.Fprintf(c.stderr, "the run goes on with: %s resume %s\n", launch.Name, runID)
		}
		return nil, err
	}
	if last.Failure == nil {
		return shown(answer), nil
	}
	failed := &failure{exit: launch.ExitCodeOf(last.Failure.Code), err: fmt.Errorf("the run has failed: %s: %s", last.Failure.Code, last.Failure.Message)}
	if last.Failure.Class == "BLOCKED" {
		failed.exit = launch.ExitPolicy
	}
	if last.Failure.Resumable {
		failed.hint = "when the cause is gone: " + launch.Name + " resume " + runID
	}
	return shown(answer), failed
}

// watch shows how far a run is until it rests.
func (c *call) watch(ctx context.Context, l *launch.Launcher, runID string) (answer json.RawMessage, now status, err error) {
	line := &progress{out: c.stderr, rewrites: isTerminal(c.stderr)}
	defer line.end()
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		if answer, err = callTool(ctx, l, "get_run_status", map[string]any{"run_id": runID}); err != nil {
			return nil, now, err
		}
		now = status{}
		if err := json.Unmarshal(answer, &now); err != nil {
			return nil, now, err
		}
		line.show(runID, now)
		if now.Activity != "queued" && now.Activity != "running" {
			return answer, now, nil
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil, now, context.Cause(ctx)
		}
	}
}

// progress is a line that says how far a run is: on a terminal one that changes,
// elsewhere one for each change.
type progress struct {
	out      io.Writer
	rewrites bool
	last     string
}

func (p *progress) show(runID string, s status) {
	text := fmt.Sprintf("%s: %s, %s", runID, s.State, s.Activity)
	if s.Progress.Total > 0 {
		text += fmt.Sprintf(", %d of %d stages", s.Progress.Done, s.Progress.Total)
	}
	if s.Progress.Stage != "" && s.Activity == "running" {
		text += ", at " + s.Progress.Stage
	}
	if s.PauseReason != "" {
		text += ": " + s.PauseReason
	}
	if text == p.last {
		return
	}
	p.last = text
	if p.rewrites {
		fmt.Fprintf(p.out, "\r\x1b[K%s", text)
		return
	}
	fmt.Fprintln(p.out, text)
}

func (p *progress) end() {
	if p.rewrites && p.last != "" {
		fmt.Fprintln(p.out)
	}
}

// isTerminal reports whether lines on w can be rewritten.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
