package tools

import "mcpworks/lint"

var annotations = lint.Rule{
	ID: "TOOL-018", Slug: "annotations",
	Title:    "tools say whether they change anything",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All &^ lint.A, Level: lint.Static, Needs: "tools",
	What: "Looks for tools that have neither readOnlyHint nor destructiveHint in their annotations.",
	Why:  "Without hints a tool counts as one that may destroy something. Clients ask the user before every call, also before those that only read.",
	Bad:  `{"name":"read_file","inputSchema":{"type":"object"}}`,
	Good: `{"name":"read_file","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`,
	Fix:  "Set readOnlyHint where nothing is changed, and destructiveHint to false where something is only added.",
	Check: func(v *lint.View) {
		for _, item := range listed(v) {
			v.Saw()
			given := lint.Member(item.Raw, "annotations")
			if lint.Member(given, "readOnlyHint") == nil && lint.Member(given, "destructiveHint") == nil {
				failItem(v, item, "", "has neither readOnlyHint nor destructiveHint")
			}
		}
	},
}
