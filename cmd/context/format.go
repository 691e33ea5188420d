package main

import (
	"mcpworks/internal/cmdline"
	"mcpworks/packs/contextengine"
)

// The values of --format.
const (
	formatJSON   = "json"
	formatPretty = "pretty"
)

var formatOption = cmdline.Option{Name: optFormat, Kind: cmdline.Text, Choices: []string{formatJSON, formatPretty}}

// output returns a result as --format wants it, or in its usual format, and a
// line feed.
func (c *call) output(compact []byte, usual string) []byte {
	format := c.Value(optFormat)
	if format == "" {
		format = usual
	}
	if format == formatPretty {
		compact = contextengine.Pretty(compact)
	}
	return append(compact, '\n')
}
