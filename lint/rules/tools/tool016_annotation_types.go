package tools

import (
	"slices"
	"strings"

	"mcpworks/internal/bounded"
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var annotationTypes = lint.Rule{
	ID: "TOOL-016", Slug: "annotation-types",
	Title:    "annotations are those that are defined, and of the right types",
	Severity: lint.Warning, Strength: lint.Must,
	Revisions: lint.All &^ lint.A, Level: lint.Static, Needs: "tools",
	Rests: []lint.Clause{
		{Revisions: lint.C | lint.D | lint.E, Page: "schema#toolannotations", Demand: "The title is a string, and readOnlyHint, destructiveHint, idempotentHint and openWorldHint are booleans."},
		{Revisions: lint.B, Page: "server/tools#tool", Demand: "A tool may have annotations that describe its behaviour; the schema has their names and types."},
	},
	What: "Looks at the annotations of every tool: an object, with title a string, the four hints booleans, and no other member whose name ends in Hint.",
	Why:  `Clients decide by the hints whether to ask the user. "true" as a string, or a misspelt name, counts as not given, and the tool as dangerous.`,
	Bad:  `{"annotations":{"readonlyHint":true,"destructiveHint":"false"}}`,
	Good: `{"annotations":{"readOnlyHint":true,"destructiveHint":false}}`,
	Fix:  "Write the names as the specification does, and the values as booleans.",
	Check: func(v *lint.View) {
		v.NotApplicable("no tool has annotations")
		for _, item := range listed(v) {
			raw := lint.Member(item.Raw, "annotations")
			if raw == nil {
				continue
			}
			v.Saw()
			if rawjson.KindOf(raw) != rawjson.Object {
				failItem(v, item, "/annotations", "the annotations are not an object")
				continue
			}
			faults := 0
			for key, value := range rawjson.Members(raw) {
				if fault := annotationFault(string(key), value); fault != "" && faults < maxFaults {
					failItem(v, item, "/annotations", "%s", fault)
					faults++
				}
			}
		}
	},
}

var hints = []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}

func annotationFault(name string, value []byte) string {
	kind := rawjson.KindOf(value)
	switch {
	case name == "title" && kind != rawjson.StringKind:
		return "the title in annotations is not a string"
	case slices.Contains(hints, name) && kind != rawjson.Bool:
		return name + " is not a boolean"
	case strings.HasSuffix(name, "Hint") && !slices.Contains(hints, name):
		return "there is no annotation " + bounded.Runes(name, 64)
	}
	return ""
}
