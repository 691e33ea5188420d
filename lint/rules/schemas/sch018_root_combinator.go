package schemas

import "mcpworks/lint"

var rootCombinator = lint.Rule{
	ID: "SCH-018", Slug: "root-combinator",
	Title:    "the root of an input schema is no composition",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	What: "Looks for anyOf, oneOf and allOf at the root of the inputSchema of every tool. Deeper in the schema they are fine.",
	Why:  "The APIs of Anthropic and OpenAI refuse such a tool (seen in 2025), and with it the request that offers it, so that one tool makes all unusable.",
	Bad:  `{"type":"object","oneOf":[{"required":["id"]},{"required":["name"]}]}`,
	Good: `{"type":"object","properties":{"id":{"type":"string"},"name":{"type":"string","description":"instead of id"}}}`,
	Fix:  "Describe all arguments in properties, say in the descriptions which belong together, and check that in the tool. Or make two tools.",
	Check: func(v *lint.View) {
		for _, d := range documents(v, input) {
			v.Saw()
			for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
				if d.root().hasAny(keyword) {
					d.root().failf("/"+keyword, "has %s at its root", keyword)
				}
			}
		}
	},
}
