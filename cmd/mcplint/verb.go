package main

import (
	"context"
	"fmt"
	"io"
	"sync"

	"mcpworks/internal/cmdline"
)

// A verb is one thing that the program does.
type verb struct {
	cmdline.Verb
	streams bool // it writes as it goes

	// run returns what goes to standard output. Its context ends with the first
	// signal.
	run func(ctx context.Context, c *call) ([]byte, error)
}

// verbs lists all of them, in the order of the help.
func verbs() []verb {
	return []verb{
		toolsVerb(), resourcesVerb(), templatesVerb(), promptsVerb(),
		callVerb(), readVerb(), getVerb(), completeVerb(),
		pingVerb(), discoverVerb(), listenVerb(), rawVerb(), doctorVerb(),
		validateVerb(), rulesVerb(), explainVerb(),
		completionsVerb(), versionVerb(), helpVerb(),
	}
}

// A call is one run of a verb.
type call struct {
	cmdline.Arguments
	stdin  io.Reader
	out    io.Writer // where verbs that stream write
	stderr io.Writer
	hidden *hidden // has been taken out of what the two writers write
}

// notice tells what nobody asked for, unless nobody wants to know.
func (c *call) notice(format string, args ...any) {
	if !c.Has(optQuiet) {
		fmt.Fprintf(c.stderr, "notice: %s\n", oneLine(c.redact(fmt.Sprintf(format, args...))))
	}
}

// detail tells those who want to watch.
func (c *call) detail(format string, args ...any) {
	if c.Has(optVerbose) || c.Has(optMessages) {
		fmt.Fprintf(c.stderr, "%s\n", oneLine(c.redact(fmt.Sprintf(format, args...))))
	}
}

func (c *call) json() bool { return c.Value(optFormat) == formatJSON }

// steady keeps the lines of several goroutines apart, and secrets out of them.
type steady struct {
	mu     sync.Mutex
	w      io.Writer
	hidden *hidden
}

// Write writes whole lines: a secret that is split over two calls is not found.
func (s *steady) Write(line []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n, err := s.w.Write(s.hidden.redact(line)); err != nil {
		return min(n, len(line)), err
	}
	return len(line), nil
}
