package resources

import (
	"regexp"

	"mcpworks/lint"
)

var mime = lint.Rule{
	ID: "RES-010", Slug: "mime",
	Title:    "resources say their MIME type, as type/subtype",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "resources",
	What: "Looks at the mimeType of every listed resource and template: it has the form type/subtype, with or without parameters. A resource without one is reported as info; a template may cover several types and go without.",
	Why:  "Clients choose by the type how to show a resource and whether a model can read it. They have nothing else to go by before they read it.",
	Bad:  `{"uri":"db://a","name":"A","mimeType":"markdown"}`,
	Good: `{"uri":"db://a","name":"A","mimeType":"text/markdown"}`,
	Fix:  "Set mimeType to the registered type, such as text/plain, text/markdown, application/json or image/png.",
	Check: func(v *lint.View) {
		for _, item := range listed(v) {
			raw := lint.Member(item.Raw, "mimeType")
			text, _ := lint.Text(raw)
			switch {
			case raw == nil && item.Subject().Kind == "template":
				continue
			case raw == nil:
				failAt(v, lint.Info, item, "", "has no mimeType")
			case !mimeForm.MatchString(text):
				failAt(v, lint.Off, item, "/mimeType", "the mimeType is not of the form type/subtype")
			}
			v.Saw()
		}
		noneListed(v)
	},
}

// The restricted names of RFC 6838 4.2, then parameters.
var mimeForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}(?:\s*;.*)?$`)
