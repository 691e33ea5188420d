package streamable

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var headerValueCase = lint.Rule{
	ID: "HTTP-044", Slug: "header-value-case",
	Title:    "the value of Mcp-Method is compared with its case",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		modern("case-sensitivity", "The values of headers, such as method names, are compared with regard to case."),
	},
	What: "Sends server/discover with Mcp-Method: SERVER/DISCOVER. It has to be refused.",
	Why:  "Method names are case-sensitive. A filter in front of the server that compares them exactly would let this request pass as something else than what the server runs.",
	Bad: `Mcp-Method: SERVER/DISCOVER
→ HTTP/1.1 200 OK`,
	Good: `Mcp-Method: SERVER/DISCOVER
→ HTTP/1.1 400 Bad Request`,
	Fix: "Compare header values with the body byte by byte.",
	Check: func(v *lint.View) {
		for _, s := range judged(v, step.HTTPMethodCase) {
			v.Saw()
			if status := response(s).Status; !isRefusal(status) {
				v.Failf(s, lint.Subject{}, "an Mcp-Method in capital letters is answered with status %d", status)
			}
		}
	},
}
