package schemas

import "mcpworks/lint"

var defaultValid = lint.Rule{
	ID: "SCH-012", Slug: "default-valid",
	Title:    "a default fits the schema it is in",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	What: "Validates every default against the schema that has it.",
	Why:  "Clients put defaults into the forms they show, and models copy them into calls. A default that is not valid makes a call fail that the user never touched.",
	Bad:  `{"type":"integer","minimum":1,"default":0}`,
	Good: `{"type":"integer","minimum":1,"default":1}`,
	Fix:  `Correct the default, or leave it out. An argument without a value is one that is not required; if null shall be allowed, the type is ["string","null"].`,
	Check: func(v *lint.View) {
		v.NotApplicable("no schema has a default")
		for _, d := range documents(v) {
			check := checker{doc: d}
			d.walk(func(n *node) {
				if value := n.member("default"); value != nil {
					check.value(n, value, "/default", "the default does not fit: %s")
				}
			})
		}
	},
}
