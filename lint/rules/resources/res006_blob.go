package resources

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var blob = lint.Rule{
	ID: "RES-006", Slug: "blob",
	Title:    "blobs are base64",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Probe, Needs: "resources",
	Rests: []lint.Clause{
		{Revisions: lint.All, Page: "server/resources#binary-content", Demand: "Binary contents are base64 text."},
		{Page: "RFC 4648 4", Demand: "Base64 has a fixed alphabet and padding."},
	},
	What: "Decodes the blob of everything that was read, as base64 with the standard alphabet, with padding and without line breaks.",
	Why:  "A client decodes the blob before it shows or stores it. Data in the URL-safe alphabet, without padding or not encoded at all arrives broken.",
	Bad:  `{"uri":"db://logo","mimeType":"image/png","blob":"\u0089PNG"}`,
	Good: `{"uri":"db://logo","mimeType":"image/png","blob":"iVBORw0KGgo="}`,
	Fix:  "Encode binary data with the standard base64 alphabet and padding (RFC 4648, section 4).",
	Check: func(v *lint.View) {
		for _, answer := range reads(v) {
			for _, content := range contents(answer.Result) {
				if rawjson.KindOf(lint.Member(content, "blob")) != rawjson.StringKind || lint.Member(content, "text") != nil {
					continue // RES-005
				}
				v.Saw()
				if _, ok := bytesOf(content); !ok {
					v.Failf(answer, resource(answer), "a blob is not base64")
				}
			}
		}
		if len(reads(v)) > 0 {
			v.NotApplicable("nothing that was read has a blob")
		}
		noneListed(v)
	},
}
