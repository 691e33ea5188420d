package schemas

import (
	"strconv"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var examples = lint.Rule{
	ID: "SCH-027", Slug: "examples",
	Title:    "examples fit the schema they are in",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	What: "Validates every element of every examples array against the schema that has it, up to 20 of each.",
	Why:  "Models copy examples rather than read types. An example that is not valid teaches them calls that fail.",
	Bad:  `{"type":"string","format":"date","examples":[20260115]}`,
	Good: `{"type":"string","format":"date","examples":["2026-01-15"]}`,
	Fix:  "Correct the example.",
	Check: func(v *lint.View) {
		v.NotApplicable("no schema has examples")
		for _, d := range documents(v) {
			check := checker{doc: d}
			d.walk(func(n *node) {
				raw := n.member("examples")
				if rawjson.KindOf(raw) != rawjson.Array {
					return
				}
				list := elements(raw)
				for i, value := range list[:min(maxExamples, len(list))] {
					check.value(n, value, "/examples/"+strconv.Itoa(i), "an example does not fit: %s")
				}
			})
		}
	},
}

const maxExamples = 20
