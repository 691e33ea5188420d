package streamable

import (
	"net/http"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var sessionUnknown404 = lint.Rule{
	ID: "HTTP-009", Slug: "session-unknown-404",
	Title:    "a session id that the server never gave gets status 404",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: withSessions, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		legacy("session-management", "Status 404 is how a client learns that its session is gone and that it has to begin a new one."),
	},
	What: "Sends ping with a made-up Mcp-Session-Id. The status has to be 404.",
	Why:  "After a restart a server knows none of the sessions that its clients still have. Only 404 makes them begin a new one by themselves; with 400 they stay broken until the user restarts them.",
	Bad: `POST ping
Mcp-Session-Id: 00000000-…
→ HTTP/1.1 400 Bad Request`,
	Good: `POST ping
Mcp-Session-Id: 00000000-…
→ HTTP/1.1 404 Not Found`,
	Fix: "Answer every request whose Mcp-Session-Id is not that of an open session with 404. In the TypeScript SDK this is up to the program: where it looks up the transport and finds none, answer 404 and not 400.",
	Check: func(v *lint.View) {
		if !hasSessions(v) {
			return
		}
		for _, s := range judged(v, step.HTTPUnknownSession) {
			v.Saw()
			if served(s) {
				v.Failf(s, lint.Subject{}, "a request with a session id that was never given is served")
			} else if status := response(s).Status; status != http.StatusNotFound {
				v.Failf(s, lint.Subject{}, "a session id that was never given is answered with status %d instead of 404", status)
			}
		}
	},
}
