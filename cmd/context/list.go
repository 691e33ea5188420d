package main

import (
	"context"

	"mcpworks/internal/cmdline"
	"mcpworks/packs/contextengine"
)

const listHelp = `Lists the directories that a directory of caches holds, and says which have a manifest.

Usage: context list --root DIR [--format json|pretty]

Examples:
  context list --root caches
  context list --root caches --format json

Only the directories directly in it are listed, in the order of their names; files and symbolic links are not.

Options:
      --root DIR         The directory that holds the caches
      --format FORMAT    pretty (default), or json for one line
      --verbose          Log on standard error
  -h, --help             Print this help
  -V, --version          Print the version

Exit codes:
  0  The list is on standard output
  1  Bad command line
  4  The directory does not exist
  6  Something could not be read or written
  7  Internal error
`

func listVerb() verb {
	return verb{run: list, Verb: cmdline.Verb{
		Name:    "list",
		Help:    listHelp,
		Options: []cmdline.Option{{Name: optRoot, Kind: cmdline.Path, Required: true}, formatOption},
	}}
}

func list(_ context.Context, c *call) ([]byte, error) {
	result, err := contextengine.List(c.Value(optRoot))
	if err != nil {
		return nil, failed(c.Value(optRoot), err, map[contextengine.Code]string{contextengine.CacheMissing: "--root is the directory that holds caches"})
	}
	return c.output(result, formatPretty), nil
}
