package main

import (
	"context"
	"io"
	"log/slog"

	"mcpworks/internal/cmdline"
)

// A verb is one thing that the program does.
type verb struct {
	cmdline.Verb
	serves bool // it runs for as long as its client wants, and heeds signals itself

	// run returns what goes to standard output. Its context ends with the first
	// signal.
	run func(ctx context.Context, c *call) ([]byte, error)
}

// verbs lists all of them, in the order of the help.
func verbs() []verb {
	return []verb{
		buildVerb(), resolveVerb(), inspectVerb(), verifyVerb(), listVerb(), diffVerb(), serveVerb(),
		versionVerb(), helpVerb(),
	}
}

// A call is one run of a verb.
type call struct {
	cmdline.Arguments
	stderr io.Writer
	log    *slog.Logger
}
