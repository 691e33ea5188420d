package schemas

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var booleanSubschema = lint.Rule{
	ID: "SCH-021", Slug: "boolean-subschema",
	Title:    "no argument has true or false as its schema",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	What: "Looks for sub-schemas true and false in the inputSchema of every tool. They are legal JSON Schema. Where a boolean is usual, as in additionalProperties, it is not reported.",
	Why:  "The MCP Inspector fails on them (reported in 2026), and so do clients that expect an object everywhere.",
	Bad:  `{"type":"object","properties":{"data":true}}`,
	Good: `{"type":"object","properties":{"data":{"description":"anything"}}}`,
	Fix:  "Write {} for true, and leave out what nothing can fit.",
	Check: func(v *lint.View) {
		v.NotApplicable("no schema has another in it")
		each(documents(v, input), func(n *node) {
			switch n.part.Keyword {
			case "", "additionalProperties", "additionalItems", "unevaluatedProperties", "unevaluatedItems":
				return
			}
			v.Saw()
			if rawjson.KindOf(n.raw) == rawjson.Bool {
				n.failf("", "the schema is just %s", n.raw)
			}
		})
	},
}
