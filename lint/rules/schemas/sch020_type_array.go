package schemas

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var typeArray = lint.Rule{
	ID: "SCH-020", Slug: "type-array",
	Title:    "each argument is of one type",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	What: "Looks for type with an array as its value in the inputSchema of every tool. It is legal JSON Schema.",
	Why:  "The MCP Inspector shows no field for such an argument (reported in 2026), and some model APIs take the first type only.",
	Bad:  `{"type":"object","properties":{"id":{"type":["string","integer"]}}}`,
	Good: `{"type":"object","properties":{"id":{"type":"string"}}}`,
	Fix:  `Choose one type. For a value that may be absent leave it out of required instead of allowing null; for two types use anyOf.`,
	Check: func(v *lint.View) {
		v.NotApplicable("no schema has a type below its root")
		each(documents(v, input), func(n *node) {
			raw := n.member("type")
			if raw == nil || n.parent == nil {
				return
			}
			v.Saw()
			if rawjson.KindOf(raw) == rawjson.Array {
				n.failf("/type", "the type is an array of types")
			}
		})
	},
}
