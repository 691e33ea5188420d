package resources

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var unique = lint.Rule{
	ID: "RES-003", Slug: "unique",
	Title:    "no URI and no template is listed twice",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "resources",
	What: "Compares the uri of all resources, and the uriTemplate of all templates, over all pages of a list.",
	Why:  "A client that keeps resources by their URI shows only one of the two, and which one it reads is left to chance.",
	Bad:  `{"resources":[{"uri":"db://a","name":"A"},{"uri":"db://a","name":"B"}]}`,
	Good: `{"resources":[{"uri":"db://a","name":"A"},{"uri":"db://b","name":"B"}]}`,
	Fix:  "List each resource once. If two things share an address, give them different URIs.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks(step.Main) {
			for _, method := range methods {
				known := map[string]bool{}
				for _, item := range t.Items(step.List, method) {
					if _, ok := lint.Text(lint.Member(item.Raw, addressMember(item))); !ok {
						continue // RES-001
					}
					v.Saw()
					if known[item.Name] {
						failAt(v, lint.Off, item, "", "is listed more than once")
					}
					known[item.Name] = true
				}
			}
		}
		noneListed(v)
	},
}
