package utilities

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var metaKeys = lint.Rule{
	ID: "UTIL-012", Slug: "meta-keys",
	Title:    "keys of _meta are well formed, and leave the reserved prefixes alone",
	Severity: lint.Warning, Strength: lint.Must,
	Revisions: lint.C | lint.D | lint.E, Level: lint.Passive,
	Rests: []lint.Clause{{Revisions: lint.C | lint.D | lint.E, Page: "basic#meta", Demand: "A key is a name, with or without a prefix of labels and a slash; some prefixes are kept for the protocol."}},
	What:  "Looks at every _meta of messages, of listed tools, resources, templates and prompts, and of contents. A name begins and ends with a letter or digit, with - _ . between them; labels of a prefix begin with a letter. Prefixes that are reserved for the protocol are only used with the keys it defines, or those of a declared extension.",
	Why:   "Everybody writes into _meta, and only the names keep them apart. A key under a reserved prefix may mean something else in the next revision.",
	Bad:   `"_meta":{"_internal":1,"io.modelcontextprotocol/myKey":2}`,
	Good:  `"_meta":{"com.example/internal":1}`,
	Fix:   "Put your own domain, reversed, before the name: com.example/key.",
	Check: func(v *lint.View) {
		for _, m := range v.Received() {
			for _, meta := range metas(m) {
				v.Saw()
				for key := range rawjson.Members(meta) {
					if flaw := keyFlaw(string(key), m.Talk()); flaw != "" {
						v.Failf(m, lint.Subject{Kind: "key", Name: string(key)}, "%s", flaw)
					}
				}
			}
		}
		if len(v.Received()) > 0 {
			v.NotApplicable("the server sends no _meta")
		}
	},
}
