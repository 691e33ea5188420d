package lifecycle

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

var initializeAnswered = lint.Rule{
	ID: "LIFE-001", Slug: "initialize-answered",
	Title:    "initialize is answered with a result within the start-up limit",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.Legacy, Level: lint.Passive,
	Rests: []lint.Clause{{Revisions: lint.Legacy, Page: "basic/lifecycle#initialization", Demand: "The server answers initialize with its version, its capabilities and its name."}},
	What:  "Sends a correct initialize of the newest revision with a handshake and waits for the start-up limit, 30 s unless set otherwise. A result has to come; an error or nothing at all is reported.",
	Why:   "initialize is the first message of every client. Without a result the connection is over before a single tool has been seen.",
	Bad:   `→ {"jsonrpc":"2.0","id":1,"method":"initialize","params":{…}}   (no answer)`,
	Good: `→ {"jsonrpc":"2.0","id":1,"method":"initialize","params":{…}}
← {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"sample","version":"1.0.0"}}}`,
	Fix: "Connect the transport before slow work is begun, and answer initialize without waiting for databases, logins or downloads. If it is answered with an error, look for the reason in the server's log.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks(step.Main) {
			for _, s := range t.StepsOf(step.Initialize) {
				asked := request(s, mcp.MethodInitialize)
				if asked == nil || s.Outcome == lint.NotSent {
					continue
				}
				if introduction(t) == nil && speaksModern(v.Record()) {
					v.NotApplicable("the server speaks revisions without a handshake only")
					continue
				}
				v.Saw()
				switch {
				case refused(s):
					v.Failf(s, lint.Subject{}, "a correct initialize is refused with an error")
				case asked.Answer == nil && s.Outcome == lint.Lost:
					v.Failf(s, lint.Subject{}, "the connection ends before initialize is answered")
				case asked.Answer == nil:
					v.Failf(s, lint.Subject{}, "initialize is not answered within the start-up limit")
				}
			}
		}
	},
}
