package tools

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var structuredObject = lint.Rule{
	ID: "TOOL-013", Slug: "structured-object",
	Title:    "structuredContent is an object",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.C | lint.D, Level: lint.Call, Needs: "tools",
	Rests: []lint.Clause{{Revisions: lint.C | lint.D, Page: "server/tools#structured-content", Demand: "Structured content is a JSON object."}},
	What:  "Looks at structuredContent of every result. From 2026-07-28 on any value is allowed.",
	Why:   "Clients check results against the schema of the protocol, and drop the whole result if this is an array or a string.",
	Bad:   `{"content":[],"structuredContent":[1,2]}`,
	Good:  `{"content":[],"structuredContent":{"values":[1,2]}}`,
	Fix:   "Wrap the value in an object, in the outputSchema as well.",
	Check: func(v *lint.View) {
		v.NotApplicable("no result had structuredContent")
		for _, c := range results(v) {
			if value := c.member("structuredContent"); value != nil {
				v.Saw()
				if rawjson.KindOf(value) != rawjson.Object {
					v.Failf(c.answer, c.subject(), "structuredContent is not an object")
				}
			}
		}
	},
}
