// Command mcplint checks MCP servers by rules, finds out why they do not work,
// and talks to them: lists what they offer, calls their tools, reads their
// resources.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"mcpworks/internal/cmdline"
)

func main() {
	// A reader that is gone makes writing fail and does not end the process,
	// which has a server to end first. Servers themselves do not inherit this.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	limitMemory()
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// limitMemory has garbage collected in time: a hostile server may say all that
// the limits of messages allow, and that has to fit into 512 MiB (D2.66) together
// with what is not the heap. Who sets GOMEMLIMIT knows better.
func limitMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(384 << 20)
	}
}

// run does what the command line asks for and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if bug := recover(); bug != nil {
			fmt.Fprintf(stderr, "error: internal error: %v\nhint: this is a bug; please report it with the lines below\n%s", bug, debug.Stack())
			code = exitUsage
		}
	}()
	v, given, err := cmdline.Parse(grammar, verbs(), args)
	if err != nil {
		return complain(err, stderr)
	}
	h := &hidden{}
	c := &call{Arguments: given, stdin: stdin, out: &steady{w: stdout, hidden: h}, stderr: &steady{w: stderr, hidden: h}, hidden: h}
	return complain(perform(ctx, v, c), c.stderr)
}

// perform runs a verb. Verbs that stream write as they go; what the others
// found is written in one piece when everything is done. A result can stand
// beside a failure: a tool that reports an error has still said something.
func perform(ctx context.Context, v verb, c *call) error {
	file := c.Value(optOutput)
	if v.streams && file != "" {
		opened, err := os.Create(file)
		if err != nil {
			return unwritten(err)
		}
		defer opened.Close()
		c.out = &steady{w: opened, hidden: c.hidden}
	}
	result, err := interruptible(ctx, c, v.run)
	if len(result) == 0 {
		return err
	}
	var lost error
	if file != "" {
		lost = os.WriteFile(file, c.hidden.redact(result), 0o666)
	} else {
		_, lost = c.out.Write(result)
	}
	if lost != nil {
		return unwritten(lost)
	}
	return err
}

// unwritten is the failure of a result that nobody gets. A reader that has had
// enough, like head, is told nothing: it ends as programs do that do not handle
// the signal for it.
func unwritten(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		return exitCode(exitSignal + int(syscall.SIGPIPE))
	}
	return &failure{exit: exitUsage, err: fmt.Errorf("the result could not be written: %w", err)}
}
