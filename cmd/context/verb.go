package main

import (
	"context"
	"io"
	"log/slog"
)

// A verb is one thing that the program does.
type verb struct {
	name     string
	help     string
	options  []option // besides those that every verb takes
	operands []string // its arguments that are no options; one in brackets may be left out
	serves   bool     // it runs for as long as its client wants, and heeds signals itself

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
	arguments
	stderr io.Writer
	log    *slog.Logger
}
