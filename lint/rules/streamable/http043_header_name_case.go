package streamable

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var headerNameCase = lint.Rule{
	ID: "HTTP-043", Slug: "header-name-case",
	Title:    "the names of headers are understood in any letter case",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		modern("case-sensitivity", "The names of headers are compared without regard to case."),
	},
	What: "Sends server/discover with the names of all protocol headers in small letters. It has to be served.",
	Why:  "HTTP/2 and many libraries write header names in small letters. A server that looks for capital ones does not find them.",
	Bad: `mcp-method: server/discover
→ HTTP/1.1 400 Bad Request`,
	Good: `mcp-method: server/discover
→ HTTP/1.1 200 OK`,
	Fix: "Read headers with the function of the HTTP library, which ignores case, and not from a plain map.",
	Check: func(v *lint.View) {
		for _, s := range judged(v, step.HTTPNameCase) {
			v.Saw()
			if !served(s) {
				v.Failf(s, lint.Subject{}, "header names in small letters are answered with status %d", response(s).Status)
			}
		}
	},
}
