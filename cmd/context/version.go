package main

import (
	"context"

	"mcpworks/internal/cmdline"
	"mcpworks/internal/version"
)

const versionHelp = `Prints the name and the version of this program.

Usage: context version

Example:
  context version

Exit codes:
  0  The version is on standard output
  1  Bad command line
  6  It could not be written
`

func versionVerb() verb {
	return verb{Verb: cmdline.Verb{Name: "version", Help: versionHelp}, run: printVersion}
}

func printVersion(context.Context, *call) ([]byte, error) {
	return []byte("context " + version.Number + "\n"), nil
}
