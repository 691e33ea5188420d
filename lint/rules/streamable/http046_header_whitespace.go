package streamable

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var headerWhitespace = lint.Rule{
	ID: "HTTP-046", Slug: "header-whitespace",
	Title:    "blanks around the values of headers are ignored",
	Severity: lint.Warning, Strength: lint.Must,
	Revisions: lint.E, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		other("RFC 9110 5.5", "White space before and after the value of a header is not part of it."),
	},
	What: "Sends server/discover with blanks and tabs around the values of the protocol headers. It has to be served.",
	Why:  "Proxies may add such blanks. They mean nothing, and a request must not fail because of them.",
	Bad: `Mcp-Method:   server/discover  
→ HTTP/1.1 400 Bad Request`,
	Good: `Mcp-Method:   server/discover  
→ HTTP/1.1 200 OK`,
	Fix: "Trim header values before comparing them, if the HTTP library does not.",
	Check: func(v *lint.View) {
		for _, s := range judged(v, step.HTTPBlanks) {
			v.Saw()
			if !served(s) {
				v.Failf(s, lint.Subject{}, "blanks around the values of headers are answered with status %d", response(s).Status)
			}
		}
	},
}
