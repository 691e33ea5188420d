package modern

import (
	"maps"

	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

var supportedConsistent = lint.Rule{
	ID: "MOD-005", Slug: "supported-consistent",
	Title:    "an error about the version lists the same versions as server/discover",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.E, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic/versioning#protocol-version-negotiation", Demand: "The error lists the versions that the server speaks, from which the client picks one to try again."}},
	What:  "Provokes error -32022 with version 1999-01-01, and compares data.supported with supportedVersions of server/discover. Their order does not matter.",
	Why:   "Clients take either list. If they differ, the version that is used, and with it the server's behaviour, depends on how a client happened to start.",
	Bad:   `data.supported is ["2026-07-28"], and supportedVersions is ["2026-07-28","2025-11-25"]`,
	Good:  `both are ["2026-07-28","2025-11-25"]`,
	Fix:   "Make both lists from one table of versions.",
	Check: func(v *lint.View) {
		var known map[string]bool
		for _, m := range discoveries(v) {
			if versions, ok := texts(lint.Member(m.Result, "supportedVersions")); ok {
				known = set(versions)
				break
			}
		}
		for _, s := range steps(v, step.UnsupportedVersion) {
			got := answer(s)
			if got == nil || got.Code() != mcp.CodeUnsupportedVersion {
				continue
			}
			versions, ok := texts(lint.Member(got.Error, "data", "supported"))
			if !ok || known == nil {
				continue
			}
			v.Saw()
			if !maps.Equal(known, set(versions)) {
				v.Failf(got, lint.Subject{}, "data.supported of error %d has other versions than supportedVersions of server/discover", mcp.CodeUnsupportedVersion)
			}
		}
	},
}

func set(list []string) map[string]bool {
	all := map[string]bool{}
	for _, text := range list {
		all[text] = true
	}
	return all
}
