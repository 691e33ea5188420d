package streamable

import (
	"net/http"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var getStream = lint.Rule{
	ID: "HTTP-004", Slug: "get-stream",
	Title:    "GET opens an event stream or gets status 405",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: withSessions, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		legacy("listening-for-messages-from-the-server", "A GET that accepts events gets an event stream, or status 405 if the server offers none."),
	},
	What: "Sends GET with Accept: text/event-stream in an open session. The response has to be an event stream, or status 405.",
	Why:  "Clients open this stream to hear what the server says by itself. 405 tells them that there is none; any other status or a web page looks like a broken server, and some clients then give up the whole connection.",
	Bad: `GET /mcp
Accept: text/event-stream
→ HTTP/1.1 200 OK
  Content-Type: application/json
  {"status":"ok"}`,
	Good: `GET /mcp
Accept: text/event-stream
→ HTTP/1.1 405 Method Not Allowed`,
	Fix: "Answer GET on the endpoint with a text/event-stream response, or with 405 if the server never sends anything by itself. Put health and status pages on another path.",
	Check: func(v *lint.View) {
		for _, s := range judged(v, step.HTTPGet) {
			if s.About != step.HTTPFirst {
				continue
			}
			v.Saw()
			switch x := response(s); {
			case x.Status == http.StatusMethodNotAllowed:
			case !isSuccess(x.Status):
				v.Failf(s, lint.Subject{}, "GET for an event stream is answered with status %d instead of a stream or 405", x.Status)
			case x.Type() != "text/event-stream":
				v.Failf(s, lint.Subject{}, "GET for an event stream is answered with something that is no event stream")
			}
		}
	},
}
