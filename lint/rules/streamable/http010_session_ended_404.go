package streamable

import (
	"net/http"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var sessionEnded404 = lint.Rule{
	ID: "HTTP-010", Slug: "session-ended-404",
	Title:    "the id of a session that was ended gets status 404",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: withSessions, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		legacy("session-management", "After a session has been terminated, requests with its id get status 404."),
	},
	What: "Ends a session with DELETE and, if that succeeds, sends ping with its id once more. The status has to be 404.",
	Why:  "A client begins a new session when it gets 404, and only then. If the old id still works, ending a session has ended nothing; if it gets another error, clients that share it stay broken.",
	Bad: `DELETE /mcp → 200 OK
POST ping with the same id → 400 Bad Request`,
	Good: `DELETE /mcp → 200 OK
POST ping with the same id → 404 Not Found`,
	Fix: "Forget the session on DELETE, and answer requests with an unknown id with 404.",
	Check: func(v *lint.View) {
		if !hasSessions(v) {
			return
		}
		for _, s := range judged(v, step.HTTPDelete) {
			if status := response(s).Status; status == http.StatusMethodNotAllowed {
				v.NotApplicable("the server does not let clients end sessions")
				return
			} else if !isSuccess(status) {
				v.NotVerified("DELETE of a session was answered with status %d", status)
				return
			}
		}
		for _, s := range judged(v, step.HTTPEnded) {
			v.Saw()
			if served(s) {
				v.Failf(s, lint.Subject{}, "a request in a session that was ended is served")
			} else if status := response(s).Status; status != http.StatusNotFound {
				v.Failf(s, lint.Subject{}, "the id of a session that was ended is answered with status %d instead of 404", status)
			}
		}
	},
}
