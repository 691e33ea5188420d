package tools

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var outputSchemaRoot = lint.Rule{
	ID: "TOOL-014", Slug: "output-schema-root",
	Title:    "an outputSchema is of type object",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.C | lint.D, Level: lint.Static, Needs: "tools",
	Rests: []lint.Clause{{Revisions: lint.C | lint.D, Page: "schema#tool", Demand: `An outputSchema is an object with the type "object".`}},
	What:  `Looks at the outputSchema of every tool that has one: it is an object, and its type is "object". From 2026-07-28 on any schema is allowed.`,
	Why:   "Clients check the list against the schema of the protocol, and drop the tool or the whole list.",
	Bad:   `{"name":"list","outputSchema":{"type":"array","items":{"type":"string"}}}`,
	Good:  `{"name":"list","outputSchema":{"type":"object","properties":{"items":{"type":"array","items":{"type":"string"}}}}}`,
	Fix:   "Wrap the value in an object, in the results as well.",
	Check: func(v *lint.View) {
		v.NotApplicable("no tool has an outputSchema")
		for _, item := range listed(v) {
			schema := lint.Member(item.Raw, "outputSchema")
			if schema == nil {
				continue
			}
			v.Saw()
			if rawjson.KindOf(schema) != rawjson.Object {
				failItem(v, item, "/outputSchema", "the outputSchema is not an object")
			} else if !rawjson.IsString(lint.Member(schema, "type"), "object") {
				failItem(v, item, "/outputSchema", `the type of the outputSchema is not "object"`)
			}
		}
	},
}
