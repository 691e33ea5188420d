package main

import (
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"

	"mcpworks/internal/cmdline"
)

// The exit codes (B14). Where several apply, the order is 2, 1, 5, 4, 3, 0; a
// signal comes before all of them.
const (
	exitOK          = 0
	exitNo          = 1 // the server said no: an error of a tool, an error answer, an expectation that failed
	exitUsage       = 2 // the command line, a file, or this program itself
	exitPartial     = 3 // some of what was to be checked could not be
	exitUnreachable = 4 // the server could not be started or reached, or did not answer in time
	exitLocked      = 5 // the server wants credentials

	exitSignal = 128 // plus the number of the signal that stopped the work: 130 for Ctrl-C
)

// A failure is an error with an exit code, lines that show what the server said
// about it, and a hint if there is one.
type failure struct {
	exit  int
	err   error
	lines []string
	hint  string
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

func refused(message, hint string) error {
	return &failure{exit: exitNo, err: errors.New(message), hint: hint}
}

// An exitCode is an outcome that the result itself explains.
type exitCode int

func (e exitCode) Error() string { return "exit code " + strconv.Itoa(int(e)) }

// interrupted is why work ended before it was done.
type interrupted struct{ signal os.Signal }

func (i interrupted) Error() string { return "stopped by a signal: " + i.signal.String() }

func (i interrupted) exit() int {
	if number, ok := i.signal.(syscall.Signal); ok {
		return exitSignal + int(number)
	}
	return exitSignal
}

// complain says what went wrong and returns the exit code for it.
func complain(err error, stderr io.Writer) int {
	if err == nil {
		return exitOK
	}
	var (
		f     *failure
		stop  interrupted
		code  exitCode
		wrong *cmdline.Mistake
	)
	switch {
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &stop):
		f = &failure{exit: stop.exit(), err: stop}
	case errors.As(err, &wrong):
		f = &failure{exit: exitUsage, err: wrong, hint: wrong.Hint}
	case !errors.As(err, &f):
		f = &failure{exit: exitUsage, err: err}
	}
	message := "error: " + oneLine(f.Error()) + "\n"
	for _, line := range f.lines {
		message += "  | " + oneLine(line) + "\n"
	}
	if f.hint != "" {
		message += "hint: " + oneLine(strings.TrimSpace(f.hint)) + "\n"
	}
	io.WriteString(stderr, message)
	return f.exit
}
