package modern

import (
	"slices"

	"mcpworks/lint"
	"mcpworks/mcp"
)

var discoverListsUsed = lint.Rule{
	ID: "MOD-003", Slug: "discover-lists-used",
	Title:    "supportedVersions has the version in use",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Passive,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "server/discover", Demand: "The list has every version in which the server accepts requests."}},
	What:  "Compares the version that a served server/discover named in its _meta with supportedVersions in the result.",
	Why:   "A client that trusts the list picks another version, or none at all, although this one would have worked.",
	Bad:   `a request in 2026-07-28 is answered with {"supportedVersions":["2025-11-25"]}`,
	Good:  `a request in 2026-07-28 is answered with {"supportedVersions":["2026-07-28","2025-11-25"]}`,
	Fix:   "Make the list from the versions that the server accepts, not by hand.",
	Check: func(v *lint.View) {
		for _, m := range discoveries(v) {
			versions, ok := texts(lint.Member(m.Result, "supportedVersions"))
			if !ok || len(versions) == 0 {
				continue // MOD-002 says so
			}
			v.Saw()
			if used := mcp.V20260728.Version; !slices.Contains(versions, used) {
				v.Failf(m, lint.Subject{Kind: "version", Name: used}, "requests in this version are served, and supportedVersions lacks it")
			}
		}
	},
}
