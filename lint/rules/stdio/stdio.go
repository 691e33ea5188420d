// Package stdio has the rules about servers that are processes and speak through
// their standard streams: STD-001 and so on. Each has a file of its own; this one
// lists them.
package stdio

import "mcpworks/lint"

// Rules are all of them, by their ids.
func Rules() []*lint.Rule {
	return []*lint.Rule{
		&stdoutClean,
		&oneLine,
		&utf8Output,
		&lspFraming,
		&exitOnEOF,
		&exitOnTerm,
		&exitStatus,
		&startupTime,
		&noOrphans,
		&stderrVolume,
		&lineEnds,
		&stdinOrder,
		&lateNoise,
	}
}

// The pages about messages on standard streams.
const (
	legacyPage = "basic/transports#stdio"
	modernPage = "basic/transports/stdio"
)

// says is a demand that both pages have.
func says(demand string) []lint.Clause {
	return []lint.Clause{
		{Revisions: lint.Legacy, Page: legacyPage, Demand: demand},
		{Revisions: lint.Modern, Page: modernPage, Demand: demand},
	}
}
