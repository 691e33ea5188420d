package resources

import (
	"mcpworks/lint"
)

var notFoundEmpty = lint.Rule{
	ID: "RES-008", Slug: "not-found-empty",
	Title:    "reading an unknown URI never gives empty contents",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Probe, Needs: "resources",
	Rests: []lint.Clause{
		{Revisions: lint.Modern, Page: "server/resources#error-handling", Demand: "A resource that does not exist is an error and not a result without contents."},
		{Revisions: lint.Legacy, Page: "server/resources#error-handling", Demand: "A resource that does not exist is answered with an error."},
	},
	What: "Reads a URI that no server has, and expects anything but a result without contents. Up to 2025-11-25 such a result is a warning.",
	Why:  "An empty result says that the resource is there and has nothing in it. People and models take that for an answer and go on with it.",
	Bad:  `{"jsonrpc":"2.0","id":4,"result":{"contents":[]}}`,
	Good: `{"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"unknown resource","data":{"uri":"db://x"}}}`,
	Fix:  "Return an error when a URI leads to nothing.",
	Check: func(v *lint.View) {
		for _, answer := range unknownReads(v) {
			v.Saw()
			if answer.HasResult() && len(contents(answer.Result)) == 0 {
				v.FailAs(modernOr(answer, lint.Warning), answer, lint.Subject{}, "an unknown URI is answered with empty contents")
			}
		}
	},
}
