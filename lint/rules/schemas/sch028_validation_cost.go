package schemas

import (
	"mcpworks/internal/jsonschema"
	"mcpworks/lint"
)

var validationCost = lint.Rule{
	ID: "SCH-028", Slug: "validation-cost",
	Title:    "a schema can be checked with bounded effort",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic#composition-keyword-resource-use", Demand: "Implementations bound the depth of schemas, the number of their parts and the time of validation."}},
	What:  "Counts the sub-schemas of every schema, each reference as what it leads to: at most 10,000, and at most 64 schemas inside of each other. A recursive reference counts once.",
	Why:   "A few lines of references that double each other take a validator ages. Clients with bounds refuse the tool, clients without hang.",
	Bad:   `{"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"},{"$ref":"#/$defs/b"}]},"b":{"anyOf":[{"$ref":"#/$defs/c"},{"$ref":"#/$defs/c"}]}}}`,
	Good:  `{"type":"object","properties":{"a":{"type":"string"}}}`,
	Fix:   "Flatten the schema: describe the common case and leave the rest to the check in the tool.",
	Check: func(v *lint.View) {
		for _, d := range documents(v) {
			v.Saw()
			e := jsonschema.Measure(d.raw)
			if e.Schemas > maxNodes {
				d.root().failf("", "has more than %d sub-schemas with all references followed", maxNodes)
			}
			if e.Depth > maxDepth || e.Deep {
				d.root().failf("", "has schemas inside of each other more than %d deep", maxDepth)
			}
		}
	},
}
