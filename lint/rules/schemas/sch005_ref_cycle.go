package schemas

import (
	"mcpworks/internal/jsonschema"
	"mcpworks/lint"
)

var refCycle = lint.Rule{
	ID: "SCH-005", Slug: "ref-cycle",
	Title:    "schemas are not recursive",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	What: "Follows the references of every schema and notes schemas that lead back to themselves. Recursion is legal in JSON Schema.",
	Why:  "Clients differ: some model APIs refuse recursive schemas, and clients that replace references by what they lead to never end or drop the tool.",
	Bad:  `{"type":"object","properties":{"child":{"$ref":"#"}}}`,
	Good: `{"type":"object","properties":{"child":{"type":"object","properties":{"name":{"type":"string"}}}}}`,
	Fix:  "Write the nesting out to the depth that is needed, or take the nested part as a string of JSON.",
	Check: func(v *lint.View) {
		v.NotApplicable("no schema has a reference")
		for _, d := range documents(v) {
			referring := false
			d.walk(func(n *node) { referring = referring || n.hasAny(refKeywords...) })
			if !referring {
				continue
			}
			v.Saw()
			if jsonschema.Measure(d.raw).Recursive {
				d.root().failf("", "a reference leads back to the schema that it is in")
			}
		}
	},
}
