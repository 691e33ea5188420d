package lifecycle

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var initializeParams = lint.Rule{
	ID: "LIFE-015", Slug: "initialize-params",
	Title:    "an initialize without its required params is refused",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.Legacy, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.Legacy, Page: "basic/lifecycle#initialization", Demand: "initialize carries the client's version, capabilities and name."}},
	What:  "Sends initialize with the params {} as the first message of a connection. An error has to come, -32602 by rights. A result is reported, and so is a server that ends.",
	Why:   "Without the params the server does not know the version or what the client can do. One that carries on has to guess, and a bug in a client stays unseen.",
	Bad:   `→ {"id":1,"method":"initialize","params":{}}   ← {"id":1,"result":{"protocolVersion":"2025-11-25",…}}`,
	Good:  `→ {"id":1,"method":"initialize","params":{}}   ← {"id":1,"error":{"code":-32602,"message":"protocolVersion is missing"}}`,
	Fix:   "Check params against the schema before the handshake goes on, and answer with -32602 if something is missing.",
	Check: func(v *lint.View) {
		for _, s := range v.Steps(step.InitializeEmpty) {
			switch answer := s.Answer(); {
			case refused(s) && shutOut(v):
				v.NotVerified(onlyOneClient)
			case refused(s):
				v.Saw()
			case answer != nil:
				v.Failf(s, lint.Subject{}, "initialize is accepted without protocolVersion, capabilities and clientInfo")
			case s.Outcome == lint.Lost:
				v.Failf(s, lint.Subject{}, "the connection ends when initialize has no params, instead of an answer with an error")
			default:
				v.NotVerified("initialize without params was not answered")
			}
		}
	},
}
