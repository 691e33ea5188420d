package schemas

import (
	"mcpworks/internal/jsonschema"
	"mcpworks/lint"
)

var refDangling = lint.Rule{
	ID: "SCH-004", Slug: "ref-dangling",
	Title:    "every reference within a schema leads to something",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	Rests: []lint.Clause{
		{Revisions: lint.D | lint.E, Page: "basic#json-schema-usage", Demand: "Schemas are valid in their dialect, which includes that their references can be resolved."},
		{Revisions: lint.A | lint.B | lint.C, Page: "server/tools#tool", Demand: "The input of a tool is described by a JSON Schema."},
	},
	What: "Resolves every $ref, $dynamicRef and $recursiveRef that stays in its schema: pointers, anchors and $ids of parts.",
	Why:  "A schema with a reference to nothing cannot be compiled. Clients refuse the tool, some of them the whole server.",
	Bad:  `{"type":"object","properties":{"to":{"$ref":"#/definitions/address"}},"$defs":{"address":{"type":"string"}}}`,
	Good: `{"type":"object","properties":{"to":{"$ref":"#/$defs/address"}},"$defs":{"address":{"type":"string"}}}`,
	Fix:  "Put the definition where the reference points. If the schema was cut out of a larger document, take its definitions along.",
	Check: func(v *lint.View) {
		v.NotApplicable("no schema has a reference")
		eachReference(v, func(n *node, keyword string, landing jsonschema.Landing) {
			if landing == jsonschema.Missing {
				n.failf("/"+keyword, "%s leads to nothing", keyword)
			}
		})
	},
}
