package schemas

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var enumEmpty = lint.Rule{
	ID: "SCH-010", Slug: "enum-empty",
	Title:    "no enum is empty",
	Severity: lint.Error, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	What: "Looks for enums without values. If the argument is required as well, no call of the tool can be valid, and the message says so.",
	Why:  "Nothing fits an empty enum. Most of them are lists that were to be filled when the server started and were not.",
	Bad:  `{"type":"object","properties":{"project":{"type":"string","enum":[]}},"required":["project"]}`,
	Good: `{"type":"object","properties":{"project":{"type":"string"}},"required":["project"]}`,
	Fix:  "Leave enum out when there is nothing to choose from, or do not list the tool then.",
	Check: func(v *lint.View) {
		v.NotApplicable("no schema has an enum")
		each(documents(v), func(n *node) {
			raw := n.member("enum")
			if rawjson.KindOf(raw) != rawjson.Array {
				return
			}
			v.Saw()
			switch {
			case len(elements(raw)) > 0:
			case n.doc.input && n.needed():
				n.failf("/enum", "the enum of a required argument is empty, so the tool cannot be called")
			default:
				n.failf("/enum", "the enum is empty")
			}
		})
	},
}
