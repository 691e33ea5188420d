package tools

import (
	"mcpworks/lint"
)

var uniqueNames = lint.Rule{
	ID: "TOOL-003", Slug: "unique-names",
	Title:    "no two tools have the same name",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	Rests: []lint.Clause{
		{Revisions: lint.D | lint.E, Page: "server/tools#tool-names", Demand: "Names of tools are unique within a server."},
		{Revisions: lint.A | lint.B | lint.C, Page: "server/tools#tool", Demand: "The name is what identifies a tool."},
	},
	What: "Compares the names of all tools on all pages of the list.",
	Why:  "A call names its tool and nothing else. Only one of the two can be called, and model APIs refuse requests that offer both.",
	Bad:  `{"tools":[{"name":"search"},{"name":"search"}]}`,
	Good: `{"tools":[{"name":"search_files"},{"name":"search_text"}]}`,
	Fix:  "Rename one of them. If a page is repeated, look at the cursor.",
	Check: func(v *lint.View) {
		type key struct {
			talk *lint.Talk
			name string
		}
		known := map[key]bool{}
		for _, item := range listed(v) {
			v.Saw()
			k := key{item.Message.Talk(), item.Name}
			if known[k] && item.Name != "" {
				failItem(v, item, "/name", "another tool has the same name")
			}
			known[k] = true
		}
	},
}
