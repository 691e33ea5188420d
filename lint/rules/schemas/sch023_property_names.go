package schemas

import (
	"regexp"

	"mcpworks/lint"
)

var propertyNames = lint.Rule{
	ID: "SCH-023", Slug: "property-names",
	Title:    "arguments have plain names",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	What: "Compares the names of the arguments of every tool, which are the properties at the root of its inputSchema, with ^[A-Za-z0-9_.-]{1,64}$.",
	Why:  "The API of Anthropic refuses a request that offers a tool with an argument of another name (seen in 2025), so that one argument makes all tools unusable.",
	Bad:  `{"type":"object","properties":{"user name":{"type":"string"}}}`,
	Good: `{"type":"object","properties":{"user_name":{"type":"string","title":"user name"}}}`,
	Fix:  "Rename the property, and keep the old name as its title.",
	Check: func(v *lint.View) {
		v.NotApplicable("no tool has arguments")
		each(documents(v, input), func(n *node) {
			if !n.isProperty() || n.parent.parent != nil {
				return
			}
			v.Saw()
			if !plainName.MatchString(n.part.Name) {
				n.failf("", "the name is not of 1 to 64 letters, digits, _, . and -")
			}
		})
	},
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)
