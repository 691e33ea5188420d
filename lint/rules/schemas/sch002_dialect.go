package schemas

import (
	"mcpworks/internal/bounded"
	"mcpworks/lint"
)

var dialect = lint.Rule{
	ID: "SCH-002", Slug: "dialect",
	Title:    "$schema names a dialect that clients know",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	Rests: []lint.Clause{{Revisions: lint.D | lint.E, Page: "basic#json-schema-usage", Demand: "2020-12 is the dialect that every client supports; others are named by $schema."}},
	What:  "Looks at $schema at the root of every inputSchema and outputSchema. Known are 2020-12, 2019-09 and the drafts 07, 06 and 04, with http or https, with or without # at the end. Schemas without $schema are fine.",
	Why:   "A client that does not know the dialect has to refuse the schema, and the tool with it, or to guess.",
	Bad:   `{"$schema":"https://example.com/my-dialect","type":"object"}`,
	Good:  `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}`,
	Fix:   "Leave $schema out, which means 2020-12, or name one of the published dialects.",
	Check: func(v *lint.View) {
		for _, d := range documents(v) {
			v.Saw()
			if !d.declared || d.dialect != "" {
				continue
			}
			if name, ok := lint.Text(lint.Member(d.raw, "$schema")); ok {
				d.root().failf("/$schema", "$schema is %q, which is no known dialect", bounded.Runes(name, 100))
			} else {
				d.root().failf("/$schema", "$schema is not a string")
			}
		}
	},
}
