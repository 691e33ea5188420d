package resources

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var readable = lint.Rule{
	ID: "RES-004", Slug: "readable",
	Title:    "listed resources can be read",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Probe, Needs: "resources",
	What: "Reads the first three listed resources with resources/read. Each is answered with a result.",
	Why:  "A list is an offer. People pick an entry and get an error for it; a model that is given the list tries again and again.",
	Bad:  `{"jsonrpc":"2.0","id":4,"error":{"code":-32603,"message":"ENOENT"}}`,
	Good: `{"jsonrpc":"2.0","id":4,"result":{"contents":[{"uri":"db://a","text":"…"}]}}`,
	Fix:  "List only what can be read now, and use the listed URI, letter for letter, to find it.",
	Check: func(v *lint.View) {
		for _, answer := range v.Answers(step.Read) {
			v.Saw()
			if answer.IsError() {
				v.Failf(answer, resource(answer), "is listed, but reading it gives error %d", answer.Code())
			}
		}
		noneListed(v)
	},
}
