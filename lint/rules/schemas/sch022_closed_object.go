package schemas

import "mcpworks/lint"

var closedObject = lint.Rule{
	ID: "SCH-022", Slug: "closed-object",
	Title:    "unknown arguments are not allowed",
	Severity: lint.Off, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	What: `Looks for "additionalProperties":false at the root of the inputSchema of every tool. The rule only runs when it is asked for.`,
	Why:  "The strict modes of model APIs want closed objects. A misspelt argument is then refused instead of ignored.",
	Bad:  `{"type":"object","properties":{"path":{"type":"string"}}}`,
	Good: `{"type":"object","properties":{"path":{"type":"string"}},"additionalProperties":false}`,
	Fix:  `Add "additionalProperties":false to the root.`,
	Check: func(v *lint.View) {
		for _, d := range documents(v, input) {
			v.Saw()
			if string(d.root().member("additionalProperties")) != "false" {
				d.root().failAs(lint.Info, "", "allows arguments that are not described")
			}
		}
	},
}
