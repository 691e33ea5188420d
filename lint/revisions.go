package lint

import (
	"strings"

	"mcpworks/mcp"
)

// Revisions is a set of protocol revisions.
type Revisions uint8

// The revisions, by their letters in the catalogue of rules.
const (
	A   Revisions = 1 << iota // 2024-11-05
	B                         // 2025-03-26
	C                         // 2025-06-18
	D                         // 2025-11-25
	E                         // 2026-07-28
	All = A | B | C | D | E
	// Legacy revisions begin with initialize, modern ones do not.
	Legacy = A | B | C | D
	Modern = E
)

// lettered has the revisions in the order of the letters.
var lettered = []*mcp.Revision{mcp.V20241105, mcp.V20250326, mcp.V20250618, mcp.V20251125, mcp.V20260728}

// RevisionsOf returns the set of one version; it is empty for an unknown one.
func RevisionsOf(version string) Revisions {
	for i, rev := range lettered {
		if rev.Version == version {
			return 1 << i
		}
	}
	return 0
}

// Has says whether a version is in the set.
func (r Revisions) Has(version string) bool { return r&RevisionsOf(version) != 0 }

// Versions lists the set, oldest first.
func (r Revisions) Versions() []string {
	var versions []string
	for i, rev := range lettered {
		if r&(1<<i) != 0 {
			versions = append(versions, rev.Version)
		}
	}
	return versions
}

func (r Revisions) String() string { return strings.Join(r.Versions(), ", ") }

// Transports is a set of transports. The empty set means all of them.
type Transports uint8

// The transports.
const (
	Stdio Transports = 1 << iota
	Streamable
	SSE
	HTTP = Streamable | SSE
)

var transportNames = []string{"stdio", "streamable_http", "sse"}

// TransportOf returns the set of one transport, by its name in a record.
func TransportOf(name string) Transports {
	for i, known := range transportNames {
		if known == name {
			return 1 << i
		}
	}
	return 0
}

// Names lists the set.
func (t Transports) Names() []string {
	var names []string
	for i, name := range transportNames {
		if t == 0 || t&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

func (t Transports) String() string { return strings.Join(t.Names(), ", ") }
