// Command context makes caches of Markdown documents and asks them which
// documents belong to a query and fit a budget of tokens.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"time"

	"mcpworks/internal/cmdline"
	"mcpworks/internal/logging"
	"mcpworks/internal/serve"
	"mcpworks/packs/contextengine"
)

func main() {
	serve.IgnoreBrokenPipes()
	os.Exit(run(context.Background(), verbs(), os.Args[1:], os.Stdout, os.Stderr))
}

// run does what the command line asks for and returns the exit code.
func run(ctx context.Context, verbs []verb, args []string, stdout, stderr io.Writer) (code int) {
	defer func() {
		if bug := recover(); bug != nil {
			fmt.Fprintf(stderr, "error: internal error: %v\nhint: this is a bug; please report it with the lines below\n%s", bug, debug.Stack())
			code = contextengine.InternalError.ExitCode()
		}
	}()
	v, given, err := cmdline.Parse(grammar, verbs, args)
	if err == nil {
		err = perform(ctx, v, &call{given, stderr, logger(given, stderr)}, stdout)
	}
	return report(err, stderr)
}

// perform runs a verb. What it found is written in one piece when everything is
// done, and never beside a failure, the findings of verify excepted.
func perform(ctx context.Context, v verb, c *call, stdout io.Writer) error {
	started := time.Now()
	c.log.Debug("begin", "command", v.Name)
	work := interruptible
	if v.serves {
		work = uninterrupted
	}
	result, err := work(ctx, c, v.run)
	c.log.Debug("end", "command", v.Name, "elapsed", time.Since(started), "bytes", len(result), "failed", err != nil)
	if len(result) > 0 {
		if _, lost := stdout.Write(result); lost != nil {
			return &failure{exit: contextengine.IOError.ExitCode(), err: fmt.Errorf("the result could not be written: %w", lost)}
		}
	}
	return err
}

// logger is silent unless the person who runs the command wants to watch.
func logger(given cmdline.Arguments, stderr io.Writer) *slog.Logger {
	if given.Has(optVerbose) {
		return logging.New(stderr, slog.LevelDebug)
	}
	return logging.New(stderr, slog.LevelWarn)
}
