package streamable

import "mcpworks/lint"

// Which revisions have Streamable HTTP: the legacy ones with sessions, and the
// modern one without.
const (
	withSessions = lint.B | lint.C | lint.D
	anyRevision  = withSessions | lint.E
)

// legacy is a clause of the page about transports, by its section.
func legacy(section, demand string) lint.Clause {
	return lint.Clause{Revisions: withSessions, Page: "basic/transports#" + section, Demand: demand}
}

// modern is a clause of the page about Streamable HTTP, by its section.
func modern(section, demand string) lint.Clause {
	return lint.Clause{Revisions: lint.E, Page: "basic/transports/streamable-http#" + section, Demand: demand}
}

// other is a clause of another specification.
func other(name, demand string) lint.Clause {
	return lint.Clause{Page: name, Demand: demand}
}
