package sse

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var unknownSession = lint.Rule{
	ID: "SSE-006", Slug: "unknown-session",
	Title:    "a message to an unknown session is refused at once",
	Severity: lint.Error, Strength: lint.Quality,
	Revisions: lint.Legacy, Transports: lint.SSE, Level: lint.Probe,
	What: "Posts a ping to the endpoint with a session in its address that the server never gave, and waits for one second for a status of 4xx. 5xx is a warning; no response at all, or a success, is an error.",
	Why:  "Clients come back with an old session after the server was restarted. Without a refusal they wait until their time is over, and each of them holds a connection of the server for as long.",
	Bad:  "POST /messages?session=00000000 is never answered",
	Good: "POST /messages?session=00000000 → 404",
	Fix:  "Look the session up before reading the body, and answer 404 if there is none.",
	Check: func(v *lint.View) {
		for _, s := range steps(v, step.UnknownSession) {
			x := asked(s)
			if x == nil {
				continue
			}
			v.Saw()
			switch {
			case x.Status == 0:
				v.Failf(s, lint.Subject{}, "a message to an unknown session is not answered")
			case x.Status/100 == 4:
			case x.Status/100 == 2:
				v.Failf(s, lint.Subject{}, "a message to an unknown session is accepted with HTTP status %d", x.Status)
			default:
				v.FailAs(lint.Warning, s, lint.Subject{}, "a message to an unknown session is answered with HTTP status %d", x.Status)
			}
		}
	},
}
