package streamable

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var badJson400 = lint.Rule{
	ID: "HTTP-025", Slug: "bad-json-400",
	Title:    "a body that is not JSON gets status 400 with a JSON-RPC error",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: anyRevision, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		legacy("sending-messages-to-the-server", "Input that cannot be accepted gets an error status, whose body may be a JSON-RPC error."),
		modern("sending-messages", "Input that cannot be accepted gets an error status, whose body may be a JSON-RPC error."),
	},
	What: "Posts a body that breaks off in the middle of an object. The status has to be 4xx, which is a warning otherwise, and the body a JSON-RPC error, which is noted otherwise. Its code is for RPC-015 to judge.",
	Why:  "Whoever writes a client wants to be told that it sends broken JSON. A success hides it, a 5xx blames the server, and a page of HTML says nothing that a program could show.",
	Bad: `POST {"jsonrpc":"2.0","id":1,
→ HTTP/1.1 500 Internal Server Error`,
	Good: `POST {"jsonrpc":"2.0","id":1,
→ HTTP/1.1 400 Bad Request
  {"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}`,
	Fix: "Catch the error of the JSON parser and answer 400 with a JSON-RPC error of code -32700. With Express, let the SDK parse the body, or add an error handler after express.json().",
	Check: func(v *lint.View) {
		for _, s := range judged(v, step.HTTPBadJSON) {
			v.Saw()
			if status := response(s).Status; !isRefusal(status) {
				v.Failf(s, lint.Subject{}, "a body that is not JSON is answered with status %d", status)
			} else if errorCode(s) == 0 {
				v.FailAs(lint.Info, s, lint.Subject{}, "a body that is not JSON is refused without a JSON-RPC error")
			}
		}
	},
}
