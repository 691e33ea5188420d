package streamable

import (
	"bytes"
	"net/http"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var response202 = lint.Rule{
	ID: "HTTP-003", Slug: "response-202",
	Title:    "a posted response gets status 202, or an error status",
	Severity: lint.Warning, Strength: lint.Must,
	Revisions: withSessions, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		legacy("sending-messages-to-the-server", "A posted response that is accepted gets status 202 and no body; one that is not gets an error status."),
	},
	What: "Posts a response to a request that the server never made. It may be accepted, with status 202 and no body, or refused with an error status.",
	Why:  "Clients answer requests of the server, such as roots/list, by posting responses. One that waits for 202 takes any other success for a failure, or waits for a stream that never comes.",
	Bad: `POST {"jsonrpc":"2.0","id":"mcplint-none","result":{}}
→ HTTP/1.1 200 OK
  {"jsonrpc":"2.0","id":"mcplint-none","result":{}}`,
	Good: `POST {"jsonrpc":"2.0","id":"mcplint-none","result":{}}
→ HTTP/1.1 202 Accepted`,
	Fix: "Answer a body that is a response with 202 and nothing else, or with 400 if it answers nothing that was asked.",
	Check: func(v *lint.View) {
		for _, s := range judged(v, step.HTTPResponse) {
			v.Saw()
			switch x := response(s); {
			case x.Status >= 400:
			case x.Status != http.StatusAccepted:
				v.Failf(s, lint.Subject{}, "a posted response is answered with status %d", x.Status)
			case len(bytes.TrimSpace(x.Answer)) > 0:
				v.Failf(s, lint.Subject{}, "an accepted response is answered with a body")
			}
		}
	},
}
