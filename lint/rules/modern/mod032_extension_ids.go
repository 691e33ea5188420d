package modern

import (
	"regexp"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

// extensionID is a key of _meta whose prefix is not left out.
var extensionID = regexp.MustCompile(`^[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?)*/([A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?)?$`)

var extensionIDs = lint.Rule{
	ID: "MOD-032", Slug: "extension-ids",
	Title:    "extensions have names with a prefix",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Passive,
	Rests: []lint.Clause{
		{Revisions: lint.E, Page: "basic/versioning#extension-negotiation", Demand: "The identifier of an extension follows the rules for keys of _meta, and its prefix must not be left out."},
		{Revisions: lint.E, Page: "basic#meta", Demand: "A prefix is a row of labels with dots between them and a slash at the end; labels and names have letters, digits and a few signs inside."},
	},
	What: "Looks at capabilities.extensions in the result of server/discover: every key has to have the form prefix/name, like com.example/charts.",
	Why:  "Two extensions of the same short name would be taken for one another. A client that checks the form ignores the extension.",
	Bad:  `"extensions":{"charts":{}}`,
	Good: `"extensions":{"com.example/charts":{}}`,
	Fix:  "Put a domain that you own in front, in reverse: com.example/charts.",
	Check: func(v *lint.View) {
		for _, m := range discoveries(v) {
			for name := range rawjson.Members(lint.Member(m.Result, "capabilities", "extensions")) {
				v.Saw()
				if !extensionID.Match(name) {
					v.Failf(m, lint.Subject{Kind: "extension", Name: string(name)}, "the name does not have the form prefix/name")
				}
			}
		}
		v.NotApplicable("the server declares no extensions")
	},
}
