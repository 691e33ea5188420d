package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf8"

	"mcpworks/internal/cmdline"
	"mcpworks/packs/contextengine"
)

// The exit codes.
const (
	exitOK    = 0
	exitUsage = 1 // the command line, or a variable of the environment, cannot be used

	// 2 to 7 are the engine's (ERR-1): an invalid query, an invalid budget, a
	// missing cache, an invalid cache, a failure of input or output, a bug.

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

// failed gives an error of the engine its exit code and the hint for it, and
// names the directory that was worked on.
func failed(dir string, err error, hints map[contextengine.Code]string) error {
	code := contextengine.CodeOf(err)
	return &failure{exit: code.ExitCode(), err: fmt.Errorf("%s: %w", dir, err), hint: hints[code]}
}

// cacheHints are for verbs that read caches.
var cacheHints = map[contextengine.Code]string{
	contextengine.CacheMissing: "context build --sources DIR --cache CACHE makes one",
	contextengine.CacheInvalid: "context verify --cache CACHE lists what is wrong with it",
}

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
func report(err error, stderr io.Writer) int {
	var (
		f     *failure
		stop  interrupted
		bad   problems
		wrong *cmdline.Mistake
	)
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &stop):
		fmt.Fprintf(stderr, "error: %v\n", stop)
		return stop.exit()
	case errors.As(err, &bad):
		io.WriteString(stderr, bad.lines())
		return contextengine.CacheInvalid.ExitCode()
	case errors.As(err, &wrong):
		f = &failure{exit: exitUsage, err: wrong, hint: wrong.Hint}
	case !errors.As(err, &f):
		f = &failure{exit: contextengine.CodeOf(err).ExitCode(), err: err}
	}
	message := "error: " + oneLine(f.Error()) + "\n"
	if f.hint != "" {
		message += "hint: " + oneLine(f.hint) + "\n"
	}
	io.WriteString(stderr, message)
	return f.exit
}

// oneLine escapes what would break a line or command a terminal: messages may
// repeat the names of files, and those may hold anything.
func oneLine(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case strconv.IsPrint(r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
		s = s[size:]
	}
	return b.String()
}
