package streamable

import (
	"net/http"

	"mcpworks/lint"
)

var redirect = lint.Rule{
	ID: "HTTP-051", Slug: "redirect",
	Title:    "the endpoint does not redirect",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: anyRevision, Transports: lint.Streamable, Level: lint.Passive,
	Rests: []lint.Clause{
		other("RFC 9110 15.4", "After some redirects a client may repeat a POST as a GET, without its body."),
	},
	What: "Looks at the status of every POST: none may be 3xx.",
	Why:  "Many clients do not follow redirects of POST, and some repeat them as GET. Those that do pay for each message twice.",
	Bad: `POST /mcp
→ HTTP/1.1 307 Temporary Redirect
  Location: /mcp/`,
	Good: `POST /mcp/
→ HTTP/1.1 200 OK`,
	Fix: "Give out the final address, with or without the slash at its end as the server has it, or let the server answer at both.",
	Check: func(v *lint.View) {
		for s, x := range exchanges(v) {
			if x.Method != http.MethodPost {
				continue
			}
			v.Saw()
			if isRedirect(x.Status) {
				v.Failf(s, lint.Subject{}, "POST is redirected with status %d", x.Status)
			}
		}
	},
}
