package streamable

import (
	"net/http"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var otherMethods = lint.Rule{
	ID: "HTTP-005", Slug: "other-methods",
	Title:    "HTTP methods that the endpoint does not have get status 405 with Allow",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: anyRevision, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		other("RFC 9110 15.5.6", "A method that a resource does not support gets status 405, with an Allow field that lists those that it does."),
	},
	What: "Sends the request with PUT and with PATCH. Both have to get status 405 and an Allow header.",
	Why:  "A 404 makes people look for a wrong path, and a 200 hides a wrong configuration. 405 with Allow says at once what is wrong and what would be right.",
	Bad: `PUT /mcp
→ HTTP/1.1 404 Not Found`,
	Good: `PUT /mcp
→ HTTP/1.1 405 Method Not Allowed
  Allow: GET, POST, DELETE`,
	Fix: "Register a handler for all methods of the path that answers 405 with Allow for those it does not serve.",
	Check: func(v *lint.View) {
		for _, s := range judged(v, step.HTTPOtherMethod) {
			v.Saw()
			subject := lint.Subject{Kind: "http method", Name: s.About}
			switch x := response(s); {
			case x.Status != http.StatusMethodNotAllowed:
				v.Failf(s, subject, "a method that the endpoint does not have is answered with status %d instead of 405", x.Status)
			case x.Response.Get("Allow") == "":
				v.Failf(s, subject, "status 405 comes without an Allow header")
			}
		}
	},
}
