package modern

import (
	"slices"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var discoverShape = lint.Rule{
	ID: "MOD-002", Slug: "discover-shape",
	Title:    "the result of server/discover has versions and capabilities",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Passive,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "server/discover", Demand: "The result lists the versions that the server speaks and the capabilities that it has."}},
	What:  "Looks at every result of server/discover: supportedVersions has to be a list of at least one date, and capabilities an object.",
	Why:   "A client chooses the version of all its requests from this list, and what it may ask for from the capabilities. Without them it can only guess.",
	Bad:   `{"resultType":"complete","supportedVersions":"2026-07-28","capabilities":["tools"]}`,
	Good:  `{"resultType":"complete","supportedVersions":["2026-07-28","2025-11-25"],"capabilities":{"tools":{}}}`,
	Fix:   "Write supportedVersions as an array of dates like 2026-07-28, and capabilities as an object that has one member for each feature.",
	Check: func(v *lint.View) {
		for _, m := range discoveries(v) {
			v.Saw()
			list := lint.Member(m.Result, "supportedVersions")
			versions, ok := texts(list)
			switch {
			case list == nil:
				v.Failf(m, lint.Subject{}, "the result of server/discover lacks supportedVersions")
			case !ok:
				v.Failf(m, lint.Subject{}, "supportedVersions is not a list of strings")
			case len(versions) == 0:
				v.Failf(m, lint.Subject{}, "supportedVersions is empty")
			case slices.ContainsFunc(versions, func(version string) bool { return !date.MatchString(version) }):
				v.Failf(m, lint.Subject{}, "supportedVersions has something that is not a date")
			}
			switch kind := rawjson.KindOf(lint.Member(m.Result, "capabilities")); kind {
			case rawjson.Object:
			case rawjson.Invalid:
				v.Failf(m, lint.Subject{}, "the result of server/discover lacks capabilities")
			default:
				v.Failf(m, lint.Subject{}, "capabilities is of type %v, not an object", kind)
			}
		}
	},
}
