package main

import (
	"context"
	"fmt"
	"io"
	"sync"

	"mcpworks/internal/secret"
)

// A verb is one thing that the program does.
type verb struct {
	name     string
	help     string
	options  []option // besides those that every verb takes
	operands []string // its arguments that are no options; one in brackets may be left out
	target   bool     // a server follows the operands, and with it its arguments
	alone    bool     // it can do without one
	streams  bool     // it writes as it goes

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
	arguments
	stdin   io.Reader
	out     io.Writer // where verbs that stream write
	stderr  io.Writer
	secrets []secret.String // what no message may repeat
}

// notice tells what nobody asked for, unless nobody wants to know.
func (c *call) notice(format string, args ...any) {
	if !c.has(optQuiet) {
		fmt.Fprintf(c.stderr, "notice: %s\n", c.redact(oneLine(fmt.Sprintf(format, args...))))
	}
}

// detail tells those who want to watch.
func (c *call) detail(format string, args ...any) {
	if c.has(optVerbose) || c.has(optMessages) {
		fmt.Fprintf(c.stderr, "%s\n", c.redact(oneLine(fmt.Sprintf(format, args...))))
	}
}

func (c *call) redact(text string) string { return secret.NewRedactor(c.secrets...).String(text) }

func (c *call) json() bool { return c.value(optFormat) == formatJSON }

// steady keeps the lines of several goroutines apart.
type steady struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *steady) Write(line []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(line)
}
