package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"mcpworks/packs/launch"
)

// lookEvery is how often a run is looked at.
const lookEvery = 200 * time.Millisecond

// recoverAfter is after how many looks it is seen whether somebody still works on
// the run.
const recoverAfter = 10

// follow starts a run, or lets it go on, and executes it here until it rests,
// unless it is to be left to others. The answer is then its status.
func follow(tool string, arguments func(*call) (map[string]any, error)) func(context.Context, *call) ([]byte, error) {
	return func(ctx context.Context, c *call) ([]byte, error) {
		given, err := arguments(c)
		if err != nil {
			return nil, err
		}
		return c.with(ctx, func(l *launch.Launcher) ([]byte, error) {
			log, err := pastOf(ctx, l, given)
			if err != nil {
				return nil, err
			}
			c.stderr.draw(told("", "now", "look at what there is"))
			answer, err := callTool(ctx, l, tool, given)
			c.stderr.draw("")
			if err != nil {
				return nil, err
			}
			if c.Has("--detach") {
				return c.show(answer, readable(startText))
			}
			var begun start
			if err := decode(answer, &begun); err != nil {
				return nil, err
			}
			log.runID = begun.RunID
			return c.execute(ctx, l, log)
		})
	}
}

// pastOf is the log of a run that is there already, read to its end: only what
// comes then is told.
func pastOf(ctx context.Context, l *launch.Launcher, given map[string]any) (log *tail, err error) {
	runID, exists := given["run_id"].(string)
	log = &tail{runID: runID}
	if exists {
		_, err = log.read(ctx, l)
	}
	return log, err
}

// watchRun follows a run that somebody else executes.
func watchRun(ctx context.Context, c *call) ([]byte, error) {
	return c.with(ctx, func(l *launch.Launcher) ([]byte, error) {
		answer, last, err := c.watch(ctx, l, &tail{runID: c.Operands[0]})
		if err != nil {
			return nil, c.stopped(ctx, err, "the run goes on without this", "watch", c.Operands[0])
		}
		return c.outcome(answer, last)
	})
}

// execute works until a run rests.
func (c *call) execute(ctx context.Context, l *launch.Launcher, log *tail) ([]byte, error) {
	working, stop := context.WithCancelCause(ctx)
	ended := make(chan error, 1)
	go func() {
		err := l.Execute(working, log.runID)
		if err != nil {
			stop(err) // nothing will happen any more
		}
		ended <- err
	}()
	answer, last, err := c.watch(working, l, log)
	stop(nil)
	if failed := <-ended; failed != nil {
		err = failed
	}
	if err != nil {
		return nil, c.stopped(ctx, err, "the run goes on with", "resume", log.runID)
	}
	return c.outcome(answer, last)
}

// stopped adds to an error how to go on, if somebody has stopped the work.
func (c *call) stopped(ctx context.Context, err error, what string, words ...string) error {
	if ctx.Err() == nil {
		return err
	}
	return &failure{exit: exitSignal, err: err, hint: what + ": " + c.again(words...)}
}

// outcome is the last status of a run, and what has become of it.
func (c *call) outcome(answer json.RawMessage, last status) ([]byte, error) {
	text, err := c.show(answer, readable(statusText))
	if err != nil || last.Failure == nil {
		return text, err
	}
	failed := &failure{exit: launch.ExitCodeOf(last.Failure.Code), err: fmt.Errorf("the run has failed: %s: %s", last.Failure.Code, last.Failure.Message)}
	if last.Failure.Class == "BLOCKED" {
		failed.exit = launch.ExitPolicy
	}
	if last.Failure.Resumable {
		failed.hint = "when the cause is gone: " + c.again("resume", last.RunID)
	}
	return text, failed
}

// watch tells what happens to a run until it rests.
func (c *call) watch(ctx context.Context, l *launch.Launcher, log *tail) (answer json.RawMessage, now status, err error) {
	fmt.Fprintf(c.stderr, "run %s\n", log.runID)
	defer c.stderr.draw("")
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	var line timeline
	for look := 1; ; look++ {
		if look%recoverAfter == 0 {
			_ = l.Recover(ctx) // so that a run whose process was killed is told as such
		}
		if answer, err = callTool(ctx, l, "get_run_status", map[string]any{"run_id": log.runID}); err != nil {
			return nil, now, err
		}
		now = status{}
		if err := decode(answer, &now); err != nil {
			return nil, now, err
		}
		events, err := log.read(ctx, l)
		if err != nil {
			return nil, now, err
		}
		for _, e := range events {
			if text := line.tell(e); text != "" {
				fmt.Fprintln(c.stderr, text)
			}
		}
		if !now.goesOn() {
			if c.stderr.rewrites {
				fmt.Fprintln(c.stderr)
			}
			return answer, now, nil
		}
		c.stderr.draw(line.going(now, c.now()))
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil, now, context.Cause(ctx)
		}
	}
}
