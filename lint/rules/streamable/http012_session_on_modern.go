package streamable

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var sessionOnModern = lint.Rule{
	ID: "HTTP-012", Slug: "session-on-modern",
	Title:    "modern replies have no session id",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: lint.E, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		modern("earlier-streamable-http-revisions", "A session id on a request is ignored; none is given, and none is sent back."),
	},
	What: "Looks at every response to a modern request, one of them to a request with a made-up Mcp-Session-Id: none may carry that header.",
	Why:  "In the modern era there are no sessions. A client that is given an id, or sees its own come back, may believe that the server keeps state for it.",
	Bad: `POST server/discover
→ HTTP/1.1 200 OK
  Mcp-Session-Id: 7f9c2ba4`,
	Good: `POST server/discover
Mcp-Session-Id: made-up
→ HTTP/1.1 200 OK`,
	Fix: "Give out session ids in the answer to initialize only, and ignore the header in requests that carry a modern version.",
	Check: func(v *lint.View) {
		for s, x := range exchanges(v) {
			if s.Name == step.HTTPVersionHeader || s.Name == step.HTTPNoStreams || s.Name == step.InitializeModern || !tells(x) {
				continue // these need not be taken for modern requests
			}
			v.Saw()
			switch id := x.Response.Get("Mcp-Session-Id"); {
			case id == "":
			case id == x.Header.Get("Mcp-Session-Id"):
				v.Failf(s, lint.Subject{}, "a modern reply sends the client's session id back")
			default:
				v.Failf(s, lint.Subject{}, "a modern reply gives out a session id")
			}
		}
	},
}
