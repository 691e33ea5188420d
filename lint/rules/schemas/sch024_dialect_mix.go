package schemas

import (
	"mcpworks/internal/jsonschema"
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var dialectMix = lint.Rule{
	ID: "SCH-024", Slug: "dialect-mix",
	Title:    "a schema in 2020-12 has nothing of older drafts",
	Severity: lint.Warning, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	Rests: []lint.Clause{
		{Revisions: lint.D | lint.E, Page: "basic#json-schema-usage", Demand: "A schema without $schema is in 2020-12; other dialects are named."},
		{Page: "JSON Schema 2020-12 core 10.3", Demand: "Items is one schema, and prefixItems has those of the first elements."},
	},
	What: "Looks in schemas of the dialect 2020-12 for items with an array, dependencies, and exclusiveMinimum or exclusiveMaximum with a boolean. The dialect is 2020-12 if $schema says so, and from 2025-11-25 on also without $schema.",
	Why:  "By the rules of 2020-12 these mean nothing or are errors: arguments are not checked, or the tool is refused.",
	Bad:  `{"type":"array","items":[{"type":"number"},{"type":"number"}]}`,
	Good: `{"type":"array","prefixItems":[{"type":"number"},{"type":"number"}]}`,
	Fix:  `Use prefixItems, dependentRequired or dependentSchemas, and numbers in exclusiveMinimum; or declare "$schema":"http://json-schema.org/draft-07/schema#".`,
	Check: func(v *lint.View) {
		v.NotApplicable("no schema is in 2020-12")
		for _, d := range documents(v) {
			if !d.isNew() {
				continue
			}
			v.Saw()
			d.walk(func(n *node) {
				for _, keyword := range oldConstructs(n) {
					n.failf("/"+keyword, "%s is used as in older drafts, but the dialect is 2020-12", keyword)
				}
			})
		}
	},
}

// isNew says whether the document is in 2020-12 for sure.
func (d *document) isNew() bool { return d.dialect == jsonschema.Draft2020 && !d.oldByDefault() }

// oldConstructs are the keywords of a node that are used as in older drafts,
// although the dialect is 2020-12.
func oldConstructs(n *node) (keywords []string) {
	if !n.doc.isNew() {
		return nil
	}
	if rawjson.KindOf(n.member("items")) == rawjson.Array {
		keywords = append(keywords, "items")
	}
	if rawjson.KindOf(n.member("dependencies")) == rawjson.Object {
		keywords = append(keywords, "dependencies")
	}
	for _, keyword := range []string{"exclusiveMinimum", "exclusiveMaximum"} {
		if rawjson.KindOf(n.member(keyword)) == rawjson.Bool {
			keywords = append(keywords, keyword)
		}
	}
	return keywords
}
