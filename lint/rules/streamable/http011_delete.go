package streamable

import (
	"net/http"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var deleteSession = lint.Rule{
	ID: "HTTP-011", Slug: "delete",
	Title:    "DELETE of a session succeeds or gets status 405",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: withSessions, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		legacy("session-management", "Clients end a session that they no longer need with DELETE; a server that does not allow that answers 405."),
	},
	What: "Sends DELETE with the id of an open session. The status has to be 2xx, or 405.",
	Why:  "Well-behaved clients end their sessions when they leave. If that fails, sessions pile up in the server, and the client shows an error at its very end.",
	Bad: `DELETE /mcp
Mcp-Session-Id: …
→ HTTP/1.1 500 Internal Server Error`,
	Good: `DELETE /mcp
Mcp-Session-Id: …
→ HTTP/1.1 204 No Content`,
	Fix: "Handle DELETE on the endpoint: end the session and answer 200 or 204, or answer 405 if clients are not to end sessions.",
	Check: func(v *lint.View) {
		if !hasSessions(v) {
			return
		}
		for _, s := range judged(v, step.HTTPDelete) {
			v.Saw()
			if status := response(s).Status; !isSuccess(status) && status != http.StatusMethodNotAllowed {
				v.Failf(s, lint.Subject{}, "DELETE of an open session is answered with status %d", status)
			}
		}
	},
}
