package main

import (
	"context"

	"mcpworks/internal/cmdline"
	"mcpworks/packs/contextengine"
)

const diffHelp = `Prints which documents differ between two caches.

Usage: context diff A B [--format json|pretty]

Examples:
  context diff old.cache new.cache
  context diff old.cache new.cache --format json

The result has the ids of documents that only B has (added), that only A has (removed) and that have another content
in B than in A (changed), and the number of those that are the same (unchanged).

Arguments:
  A    The cache before
  B    The cache after

Options:
      --format FORMAT    pretty (default), or json for one line
      --verbose          Log on standard error
  -h, --help             Print this help
  -V, --version          Print the version

Exit codes:
  0  The result is on standard output, whether or not there are differences
  1  Bad command line
  4  A cache does not exist
  5  A cache is not valid
  6  Something could not be read or written
  7  Internal error
`

func diffVerb() verb {
	return verb{run: diff, Verb: cmdline.Verb{
		Name:     "diff",
		Help:     diffHelp,
		Options:  []cmdline.Option{formatOption},
		Operands: []string{"A", "B"},
	}}
}

func diff(ctx context.Context, c *call) ([]byte, error) {
	result, err := contextengine.Diff(ctx, c.Operands[0], c.Operands[1])
	if err != nil {
		code := contextengine.CodeOf(err)
		return nil, &failure{exit: code.ExitCode(), err: err, hint: cacheHints[code]}
	}
	return c.output(result, formatPretty), nil
}
