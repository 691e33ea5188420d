package prompts

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

var unique = lint.Rule{
	ID: "PRM-002", Slug: "unique",
	Title:    "no two prompts, and no two arguments of a prompt, have the same name",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "prompts",
	What: "Compares the names of all listed prompts with each other, and those of the arguments of each prompt.",
	Why:  "A prompt is asked for by its name, and its arguments are members of an object. Of two with the same name, only one can be reached.",
	Bad:  `{"prompts":[{"name":"review"},{"name":"review"}]}`,
	Good: `{"prompts":[{"name":"review_code"},{"name":"review_text"}]}`,
	Fix:  "Rename one of the two, or register it once.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks(step.Main) {
			known := map[string]bool{}
			for _, item := range t.Items(step.List, mcp.MethodListPrompts) {
				v.Saw()
				if item.Name != "" && known[item.Name] {
					failAt(v, item, argument{}, "is listed more than once")
				}
				known[item.Name] = true
				checkArguments(v, item)
			}
		}
		noneListed(v)
	},
}

func checkArguments(v *lint.View, item lint.Item) {
	known := map[string]bool{}
	for _, a := range arguments(item) {
		if a.name != "" && known[a.name] {
			failAt(v, item, a, "two arguments have this name")
		}
		known[a.name] = true
	}
}
