package schemas

import (
	"mcpworks/internal/jsonschema"
	"mcpworks/lint"
)

var refExternal = lint.Rule{
	ID: "SCH-003", Slug: "ref-external",
	Title:    "no reference leaves its schema",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic#ref-resolution", Demand: "References are not fetched from the network; a schema has all it refers to."}},
	What:  "Resolves every $ref, $dynamicRef and $recursiveRef in the schemas of all tools. It has to lead to a place in the same schema: by a pointer, an anchor, or the $id of one of its parts. An error in 2026-07-28, a warning before.",
	Why:   "Clients do not fetch schemas, because a server could make them call any address. The tool is refused, or its arguments are not checked.",
	Bad:   `{"type":"object","properties":{"to":{"$ref":"https://example.com/address.json"}}}`,
	Good:  `{"type":"object","properties":{"to":{"$ref":"#/$defs/address"}},"$defs":{"address":{"type":"string"}}}`,
	Fix:   "Copy what is referred to into $defs of the schema and refer to it with #/$defs/….",
	Check: func(v *lint.View) {
		v.NotApplicable("no schema has a reference")
		eachReference(v, func(n *node, keyword string, landing jsonschema.Landing) {
			if landing == jsonschema.Outside {
				n.failAs(sinceModern(n), "/"+keyword, "%s leads out of the schema", keyword)
			}
		})
	},
}

// sinceModern is an error in the modern era and a warning before.
func sinceModern(n *node) lint.Severity {
	if lint.Modern.Has(n.doc.revision()) {
		return lint.Error
	}
	return lint.Warning
}
