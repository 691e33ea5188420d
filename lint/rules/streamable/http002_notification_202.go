package streamable

import (
	"bytes"
	"net/http"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var notification202 = lint.Rule{
	ID: "HTTP-002", Slug: "notification-202",
	Title:    "a notification is accepted with status 202 and no body",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: anyRevision, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		legacy("sending-messages-to-the-server", "A notification that is accepted gets status 202 and no body; one that is not gets an error status."),
		modern("sending-messages", "A notification that is accepted gets status 202 and no body; one that is not gets an error status."),
	},
	What: "Looks at the status of notifications/initialized, and posts a notification that no revision knows. Both have to be accepted: status 202, no body. It is an error if they are not accepted at all, and a warning if the status is another success, if there is a body, or if only the unknown one is refused. In the modern era, which has no notifications over HTTP, an error status is right as well.",
	Why:  "A client that gets an error for notifications/initialized ends the connection. One that gets a body where there should be none may take it for an answer to something else.",
	Bad: `POST {"jsonrpc":"2.0","method":"notifications/initialized"}
→ HTTP/1.1 400 Bad Request`,
	Good: `POST {"jsonrpc":"2.0","method":"notifications/initialized"}
→ HTTP/1.1 202 Accepted`,
	Fix: "Answer every notification with 202 and an empty body, also those that the server does not know: they are ignored.",
	Check: func(v *lint.View) {
		for _, s := range append(judged(v, step.Initialized), judged(v, step.HTTPNotification)...) {
			x, subject := response(s), lint.Subject{}
			if asked := s.Asked(); asked != nil {
				subject = lint.Subject{Kind: "method", Name: asked.MethodName()}
			}
			v.Saw()
			switch {
			case s.Talk().Modern && isRefusal(x.Status):
			case s.Name == step.HTTPNotification && isRefusal(x.Status):
				v.FailAs(lint.Warning, s, subject, "a notification that the server does not know is refused with status %d", x.Status)
			case !isSuccess(x.Status):
				v.Failf(s, subject, "a notification is answered with status %d", x.Status)
			case x.Status != http.StatusAccepted:
				v.FailAs(lint.Warning, s, subject, "a notification is accepted with status %d instead of 202", x.Status)
			case len(bytes.TrimSpace(x.Answer)) > 0:
				v.FailAs(lint.Warning, s, subject, "an accepted notification is answered with a body")
			}
		}
	},
}
