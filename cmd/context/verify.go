package main

import (
	"context"
	"fmt"
	"strings"

	"mcpworks/internal/cmdline"
	"mcpworks/packs/contextengine"
)

const verifyHelp = `Checks all of a cache and lists every problem.

Usage: context verify --cache CACHE [--format json|pretty]

Examples:
  context verify --cache docs.cache
  context verify --cache docs.cache >/dev/null && echo sound

Standard error gets one line for every problem: a document that is missing, was changed or is not in the manifest, an
index that disagrees, a version that is wrong. Standard output gets a summary, also if there are problems: what
context inspect prints, and their number.

Options:
      --cache CACHE      The cache to check
      --format FORMAT    pretty (default), or json for one line
      --verbose          Log on standard error
  -h, --help             Print this help
  -V, --version          Print the version

Exit codes:
  0  The cache is sound
  1  Bad command line
  4  The cache does not exist
  5  There are problems
  6  Something could not be read or written
  7  Internal error
`

func verifyVerb() verb {
	return verb{run: verify, Verb: cmdline.Verb{
		Name:    "verify",
		Help:    verifyHelp,
		Options: []cmdline.Option{{Name: optCache, Kind: cmdline.Path, Required: true}, formatOption},
	}}
}

func verify(ctx context.Context, c *call) ([]byte, error) {
	found, summary, err := contextengine.Verify(ctx, c.Value(optCache))
	if err != nil {
		return nil, failed(c.Value(optCache), err, map[contextengine.Code]string{contextengine.CacheMissing: cacheHints[contextengine.CacheMissing]})
	}
	result := c.output(summary, formatPretty)
	if len(found) > 0 {
		return result, problems(found)
	}
	return result, nil
}

// problems are the faults of a cache.
type problems []string

func (p problems) Error() string { return fmt.Sprintf("the cache has %d problems", len(p)) }

// lines is what standard error gets: a line for each.
func (p problems) lines() string {
	var b strings.Builder
	for _, problem := range p {
		b.WriteString("error: " + oneLine(problem) + "\n")
	}
	return b.String()
}
