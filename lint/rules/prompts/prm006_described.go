package prompts

import (
	"strings"

	"mcpworks/lint"
	"mcpworks/mcp"
)

var described = lint.Rule{
	ID: "PRM-006", Slug: "described",
	Title:    "prompts and their arguments are described",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "prompts",
	What: "Looks for a description that is not empty on every listed prompt and on every argument.",
	Why:  "People choose a prompt from a menu and fill a form for it. The description is all the help that they get there.",
	Bad:  `{"name":"review","arguments":[{"name":"c"}]}`,
	Good: `{"name":"review","description":"Review code for mistakes","arguments":[{"name":"c","description":"The code"}]}`,
	Fix:  "Say in one sentence what the prompt does, and for each argument what to put there.",
	Check: func(v *lint.View) {
		for _, item := range v.Items(mcp.MethodListPrompts) {
			v.Saw()
			if isBlank(item.Raw) {
				failAt(v, item, argument{}, "has no description")
			}
			for _, a := range arguments(item) {
				if isBlank(a.raw) {
					failAt(v, item, a, "the argument has no description")
				}
			}
		}
		noneListed(v)
	},
}

func isBlank(raw []byte) bool {
	text, _ := lint.Text(lint.Member(raw, "description"))
	return strings.TrimSpace(text) == ""
}
