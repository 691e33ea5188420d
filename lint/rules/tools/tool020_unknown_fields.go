package tools

import (
	"mcpworks/internal/bounded"
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var unknownFields = lint.Rule{
	ID: "TOOL-020", Slug: "unknown-fields",
	Title:    "tools have no fields that the revision does not define",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	What: "Compares the members of every tool with those of the revision in use: name, description and inputSchema; annotations from 2025-03-26 on; title, outputSchema and _meta from 2025-06-18 on; icons from 2025-11-25 on; execution in 2025-11-25 only. _meta is never reported, nor is what is in it.",
	Why:  "Clients ignore or drop what they do not know. What stands there has no effect, and mostly it is a misspelt name.",
	Bad:  `{"name":"read_file","input_schema":{"type":"object"}}`,
	Good: `{"name":"read_file","inputSchema":{"type":"object"},"_meta":{"com.example/order":1}}`,
	Fix:  "Put what is your own into _meta, under a name with a prefix.",
	Check: func(v *lint.View) {
		for _, item := range listed(v) {
			if lint.RevisionsOf(revisionOf(item)) == 0 {
				continue
			}
			v.Saw()
			faults := 0
			for key := range rawjson.Members(item.Raw) {
				if name := string(key); !fields[name].Has(revisionOf(item)) && faults < maxFaults {
					faults++
					failItem(v, item, "", "the field %s is not defined in the revision", bounded.Runes(name, 64))
				}
			}
		}
	},
}

// fields are those of a tool, by the revisions that have them.
var fields = map[string]lint.Revisions{
	"name": lint.All, "description": lint.All, "inputSchema": lint.All, "_meta": lint.All,
	"annotations": lint.All &^ lint.A,
	"title":       lint.C | lint.D | lint.E, "outputSchema": lint.C | lint.D | lint.E,
	"icons":     lint.D | lint.E,
	"execution": lint.D,
}
