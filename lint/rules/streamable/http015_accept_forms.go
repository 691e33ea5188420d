package streamable

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var acceptForms = lint.Rule{
	ID: "HTTP-015", Slug: "accept-forms",
	Title:    "every way to write the Accept header is understood",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: anyRevision, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		other("RFC 9110 12.5.1", "Accept is a list of media ranges in any order, each of which can have a weight."),
	},
	What: "Sends the request with Accept headers that all name both types: with weights, in the other order, with further types. Each has to be served. With */* alone it should be served as well, which is only noted.",
	Why:  "HTTP libraries and proxies write this header in their own way. A server that compares it letter by letter refuses clients that do everything right.",
	Bad: `Accept: text/event-stream;q=0.9, application/json
→ HTTP/1.1 406 Not Acceptable`,
	Good: `Accept: text/event-stream;q=0.9, application/json
→ HTTP/1.1 200 OK`,
	Fix: "Parse the header: split it at commas, drop what follows a semicolon, compare without regard to case, and let */* and application/* match.",
	Check: func(v *lint.View) {
		for _, s := range judged(v, step.HTTPAccept) {
			v.Saw()
			if served(s) {
				continue
			}
			severity := lint.Warning
			if s.About == step.HTTPAnything {
				severity = lint.Info
			}
			v.FailAs(severity, s, lint.Subject{Kind: "accept", Name: s.About}, "this form of the Accept header is answered with status %d", response(s).Status)
		}
	},
}
