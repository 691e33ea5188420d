package streamable

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var acceptRespected = lint.Rule{
	ID: "HTTP-016", Slug: "accept-respected",
	Title:    "a client that accepts JSON only gets no event stream",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: anyRevision, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		other("RFC 9110 12.5.1", "Accept says which types of response the client can use."),
	},
	What: "Sends the request with Accept: application/json. A JSON response and a refusal are both right; an event stream is not.",
	Why:  "Who leaves text/event-stream out of Accept has no parser for it. A refusal can be understood, a stream cannot.",
	Bad: `Accept: application/json
→ HTTP/1.1 200 OK
  Content-Type: text/event-stream`,
	Good: `Accept: application/json
→ HTTP/1.1 406 Not Acceptable`,
	Fix: "Answer in JSON if text/event-stream is not accepted, or refuse with 406.",
	Check: func(v *lint.View) {
		for _, s := range judged(v, step.HTTPAcceptJSON) {
			v.Saw()
			if x := response(s); isSuccess(x.Status) && x.Type() == "text/event-stream" {
				v.Failf(s, lint.Subject{}, "a client that accepts application/json only gets an event stream")
			}
		}
	},
}
