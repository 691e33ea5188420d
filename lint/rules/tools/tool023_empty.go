package tools

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

var empty = lint.Rule{
	ID: "TOOL-023", Slug: "empty",
	Title:    "a server that declares tools has some",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Passive, Needs: "tools",
	What: "Reads the list of tools to its end and counts them.",
	Why:  "The user has connected a server and sees nothing. Often a token or a setting is missing, and the server does not say so.",
	Bad:  `{"tools":[]}`,
	Good: `{"tools":[{"name":"search","inputSchema":{"type":"object"}}]}`,
	Fix:  "Do not declare tools if there are none, or offer one that says what is missing.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks(step.Main) {
			pages := pagesOf(t, step.List)
			if len(pages) == 0 || rawjson.KindOf(lint.Member(pages[0].Result, "tools")) != rawjson.Array {
				v.NotVerified("tools/list was not answered with a list")
				continue
			}
			v.Saw()
			if len(t.Items(step.List, mcp.MethodListTools)) == 0 {
				v.Failf(pages[0], lint.Subject{}, "declares tools, but lists none")
			}
		}
	},
}
