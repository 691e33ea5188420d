package schemas

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var untyped = lint.Rule{
	ID: "SCH-009", Slug: "untyped",
	Title:    "each property says of which type it is",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	What: "Looks for properties that have no type, $ref, enum, const or composition (allOf, anyOf, oneOf, not, if). Properties that are just true or false are the matter of SCH-021.",
	Why:  "A model guesses the type from the name, and some model APIs refuse properties without one.",
	Bad:  `{"type":"object","properties":{"limit":{"description":"how many"}}}`,
	Good: `{"type":"object","properties":{"limit":{"type":"integer","description":"how many"}}}`,
	Fix:  "Say the type.",
	Check: func(v *lint.View) {
		v.NotApplicable("no schema has properties")
		each(documents(v), func(n *node) {
			if !n.isProperty() || rawjson.KindOf(n.raw) != rawjson.Object {
				return
			}
			v.Saw()
			if !n.hasAny("type", "$ref", "$dynamicRef", "$recursiveRef", "enum", "const", "allOf", "anyOf", "oneOf", "not", "if") {
				n.failf("", "is a property without a type")
			}
		})
	},
}
