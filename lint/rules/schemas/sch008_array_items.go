package schemas

import (
	"slices"

	"mcpworks/lint"
)

var arrayItems = lint.Rule{
	ID: "SCH-008", Slug: "array-items",
	Title:    "arrays say what their items are",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	What: `Looks for schemas with the type array that have neither items nor prefixItems.`,
	Why:  "Visual Studio Code and the API of OpenAI refuse a tool whose array has no items (seen in 2025 and 2026), and a model has to guess what to put in.",
	Bad:  `{"type":"object","properties":{"paths":{"type":"array"}}}`,
	Good: `{"type":"object","properties":{"paths":{"type":"array","items":{"type":"string"}}}}`,
	Fix:  `Add items. If anything is allowed, "items":{} says so.`,
	Check: func(v *lint.View) {
		v.NotApplicable("no schema has an array")
		each(documents(v), func(n *node) {
			if !slices.Contains(n.types(), "array") {
				return
			}
			v.Saw()
			if !n.hasAny("items", "prefixItems", "$ref", "allOf", "anyOf", "oneOf", "enum", "const") {
				n.failf("", "is an array without items")
			}
		})
	},
}
