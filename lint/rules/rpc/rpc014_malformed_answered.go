package rpc

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var malformedAnswered = lint.Rule{
	ID: "RPC-014", Slug: "malformed-answered",
	Title:    "a malformed request whose id can be read is answered with an error",
	Severity: lint.Info, Strength: lint.Quality, SDKWide: true,
	Revisions: lint.All, Level: lint.Probe,
	Rests: []lint.Clause{{Page: "JSON-RPC 2.0 5.1", Demand: "-32600 says that what was sent is not a valid request."}},
	What:  `Sends three requests with ids of their own: one with jsonrpc "1.0", one without jsonrpc, one whose method is a number. Each has to be answered with an error, best with the code -32600; over HTTP a refusing status will do.`,
	Why:   "Without an answer, whoever made the mistake waits for the time-out and learns nothing about it.",
	Bad:   "→ {\"jsonrpc\":\"1.0\",\"id\":8,\"method\":\"ping\"}\n(nothing)",
	Good:  "→ {\"jsonrpc\":\"1.0\",\"id\":8,\"method\":\"ping\"}\n← {\"jsonrpc\":\"2.0\",\"id\":8,\"error\":{\"code\":-32600,\"message\":\"jsonrpc must be 2.0\"}}",
	Fix:   "Read the id before the rest is validated, and answer -32600 with it if validation fails. This is up to the SDK where one is used.",
	Check: func(v *lint.View) {
		for _, s := range v.Steps(step.BadRequest) {
			subject := lint.Subject{Kind: "request", Name: s.About}
			switch answer := s.Answer(); {
			case answer != nil && answer.HasResult():
				v.Failf(s, subject, "the malformed request is served")
			case answer != nil, refusal(s):
				v.Saw()
			case !survived(s):
				v.NotVerified("the connection ended after a malformed request")
			default:
				v.Failf(s, subject, "the malformed request is not answered")
			}
		}
	},
}
