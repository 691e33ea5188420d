package tools

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var inputSchema = lint.Rule{
	ID: "TOOL-002", Slug: "input-schema",
	Title:    `each tool has an inputSchema of type object`,
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	Rests: []lint.Clause{{Revisions: lint.All, Page: "server/tools#tool", Demand: "A tool has an inputSchema, an object that describes an object."}},
	What:  `Looks at the inputSchema of every tool: it is there, it is an object, and its type is "object".`,
	Why:   "Arguments are always an object. Clients check this before anything else and drop the tool, or the whole list.",
	Bad:   `{"name":"now","inputSchema":{}}`,
	Good:  `{"name":"now","inputSchema":{"type":"object"}}`,
	Fix:   `For a tool without arguments write {"type":"object","additionalProperties":false}.`,
	Check: func(v *lint.View) {
		for _, item := range listed(v) {
			v.Saw()
			schema := lint.Member(item.Raw, "inputSchema")
			switch {
			case schema == nil:
				failItem(v, item, "", "has no inputSchema")
			case rawjson.KindOf(schema) != rawjson.Object:
				failItem(v, item, "/inputSchema", "the inputSchema is not an object")
			case !rawjson.IsString(lint.Member(schema, "type"), "object"):
				failItem(v, item, "/inputSchema", `the type of the inputSchema is not "object"`)
			}
		}
	},
}
