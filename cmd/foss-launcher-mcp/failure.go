package main

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"mcpworks/internal/cmdline"
	"mcpworks/internal/printable"
	"mcpworks/packs/launch"
)

// The exit codes are those of package launch, and that of a command line that
// cannot be read.
const (
	exitUsage  = launch.ExitInvalid
	exitSignal = 128 // plus the number of the signal that stopped the work
)

// A failure is an error with an exit code, and a hint if there is one.
type failure struct {
	exit int
	err  error
	hint string
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// interrupted is why work ended before it was done.
type interrupted struct{ signal os.Signal }

func (i interrupted) Error() string { return "stopped by a signal: " + i.signal.String() }

func (i interrupted) exit() int {
	if number, ok := i.signal.(syscall.Signal); ok {
		return exitSignal + int(number)
	}
	return exitSignal
}

// report says what went wrong and returns the exit code for it.
func (c *call) report(err error) int {
	if err == nil {
		return launch.ExitOK
	}
	f := c.failureOf(err)
	if stop, stopped := errors.AsType[interrupted](err); stopped && stop.signal == syscall.SIGPIPE {
		return f.exit // whoever read the result has enough
	}
	fmt.Fprintf(c.stderr, "error: %s\n", printable.Line(f.Error()))
	if f.hint != "" {
		fmt.Fprintf(c.stderr, "hint: %s\n", printable.Line(f.hint))
	}
	return f.exit
}

// failureOf finds the exit code of an error, and what can be done about it.
func (c *call) failureOf(err error) *failure {
	f, ok := errors.AsType[*failure](err)
	if !ok {
		f = &failure{exit: launch.ExitInternal, err: err}
	}
	if stop, stopped := errors.AsType[interrupted](err); stopped {
		return &failure{exit: stop.exit(), err: stop, hint: f.hint}
	}
	if wrong, mistaken := errors.AsType[*cmdline.Mistake](err); mistaken {
		return &failure{exit: exitUsage, err: wrong, hint: wrong.Hint}
	}
	if refused, known := errors.AsType[*launch.Error](err); known && !ok {
		return &failure{exit: refused.ExitCode(), err: errors.New(c.explained(refused)), hint: c.hintFor(refused)}
	}
	return f
}
