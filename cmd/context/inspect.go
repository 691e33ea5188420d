package main

import (
	"context"

	"mcpworks/internal/cmdline"
	"mcpworks/packs/contextengine"
)

const inspectHelp = `Prints the version and the size of a cache, and whether all of it is as it was built.

Usage: context inspect --cache CACHE [--format json|pretty]

Examples:
  context inspect --cache docs.cache
  context inspect --cache docs.cache --format json

Every document is read and its hash is checked. A cache that can be read but has faults is shown with "valid": false,
and context verify says what they are.

Options:
      --cache CACHE      The cache to look at
      --format FORMAT    pretty (default), or json for one line
      --verbose          Log on standard error
  -h, --help             Print this help
  -V, --version          Print the version

Exit codes:
  0  The result is on standard output, also if it says "valid": false
  1  Bad command line
  4  The cache does not exist
  5  The manifest of the cache is missing or cannot be understood
  6  Something could not be read or written
  7  Internal error
`

func inspectVerb() verb {
	return verb{run: inspect, Verb: cmdline.Verb{
		Name:    "inspect",
		Help:    inspectHelp,
		Options: []cmdline.Option{{Name: optCache, Kind: cmdline.Path, Required: true}, formatOption},
	}}
}

func inspect(ctx context.Context, c *call) ([]byte, error) {
	result, err := contextengine.Inspect(ctx, c.Value(optCache))
	if err != nil {
		return nil, failed(c.Value(optCache), err, cacheHints)
	}
	return c.output(result, formatPretty), nil
}
