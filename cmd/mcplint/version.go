package main

import (
	"context"

	"mcpworks/internal/cmdline"
	"mcpworks/internal/rawjson"
	"mcpworks/internal/version"
	"mcpworks/mcp"
)

const versionHelp = `Prints the name and the version of this program.

Usage: mcplint version [--format text|json]

Examples:
  mcplint version
  mcplint version --format json

Options:
  -f, --format FORMAT    text (default), or json for the protocol versions that it speaks, too
  -h, --help             Print this help
  -V, --version          Print the version

Exit codes:
  0  The version is on standard output
  2  Bad command line, or it could not be written
`

func versionVerb() verb {
	return verb{run: printVersion, Verb: cmdline.Verb{
		Name: "version", Help: versionHelp,
		Options: []cmdline.Option{{Name: optFormat, Kind: cmdline.Text, Choices: []string{formatText, formatJSON}}},
	}}
}

func printVersion(_ context.Context, c *call) ([]byte, error) {
	if !c.json() {
		return []byte("mcplint " + version.Number + "\n"), nil
	}
	var revisions []string
	for _, rev := range mcp.Revisions() {
		revisions = append(revisions, rev.Version)
	}
	o := rawjson.Begin(nil)
	o.String("name", "mcplint")
	o.String("version", version.Number)
	o.Strings("protocolVersions", revisions)
	return pretty(o.End()), nil
}
