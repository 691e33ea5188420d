package streamable

import (
	"net/http"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var sessionMissing400 = lint.Rule{
	ID: "HTTP-008", Slug: "session-missing-400",
	Title:    "a request without its session id gets status 400",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: withSessions, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		legacy("session-management", "A server that needs a session id answers a request without one with status 400, unless it is initialize."),
	},
	What: "Sends ping without Mcp-Session-Id to a server that gave an id. If it is not served, the status has to be 400. A server that serves it needs no sessions, and the rule is not about it.",
	Why:  "Clients take 404 for a lost session and 401 for missing credentials, and act on it. For a header that was forgotten only 400 tells the truth.",
	Bad: `POST ping, without Mcp-Session-Id
→ HTTP/1.1 404 Not Found`,
	Good: `POST ping, without Mcp-Session-Id
→ HTTP/1.1 400 Bad Request`,
	Fix: "Answer requests other than initialize that have no Mcp-Session-Id with 400.",
	Check: func(v *lint.View) {
		if !hasSessions(v) {
			return
		}
		for _, s := range judged(v, step.HTTPNoSession) {
			if served(s) {
				v.NotApplicable("the server serves requests without a session id")
				continue
			}
			v.Saw()
			if status := response(s).Status; status != http.StatusBadRequest {
				v.Failf(s, lint.Subject{}, "a request without a session id is answered with status %d instead of 400", status)
			}
		}
	},
}
