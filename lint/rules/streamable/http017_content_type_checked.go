package streamable

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var contentTypeChecked = lint.Rule{
	ID: "HTTP-017", Slug: "content-type-checked",
	Title:    "a body that is not sent as JSON is refused",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: anyRevision, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		other("Fetch Standard 2.2.2", "A page may post text/plain to any site without asking it first, and application/json only with its permission."),
	},
	What: "Sends the request with Content-Type: text/plain. It has to be refused.",
	Why:  "A web page can post text/plain to any address, also to one on the user's own machine, without the browser asking the server. Insisting on application/json makes the browser ask first, and is a cheap second lock beside the check of Origin.",
	Bad: `POST /mcp
Content-Type: text/plain
→ HTTP/1.1 200 OK`,
	Good: `POST /mcp
Content-Type: text/plain
→ HTTP/1.1 415 Unsupported Media Type`,
	Fix: "Answer 415 unless the media type of Content-Type is application/json.",
	Check: func(v *lint.View) {
		for _, s := range judged(v, step.HTTPPlainText) {
			v.Saw()
			if served(s) {
				v.Failf(s, lint.Subject{}, "a body that is sent as text/plain is served")
			}
		}
	},
}
