package streamable

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var responseType = lint.Rule{
	ID: "HTTP-001", Slug: "response-type",
	Title:    "a request is answered with application/json or text/event-stream",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: anyRevision, Transports: lint.Streamable, Level: lint.Passive,
	Rests: []lint.Clause{
		legacy("sending-messages-to-the-server", "The response to a posted request is either one JSON object or an event stream, and says which by its content type."),
		modern("sending-messages", "The response to a posted request is application/json or text/event-stream."),
	},
	What: "Looks at every POST of a well-formed request that got a 2xx status: its Content-Type has to be application/json or text/event-stream. Messages that are malformed on purpose are left out.",
	Why:  "A client decides by the content type how to read the body. With any other type, or none, it cannot find the answer, and the call fails although the server did its work.",
	Bad: `HTTP/1.1 200 OK
Content-Type: text/plain

{"jsonrpc":"2.0","id":1,"result":{}}`,
	Good: `HTTP/1.1 200 OK
Content-Type: application/json

{"jsonrpc":"2.0","id":1,"result":{}}`,
	Fix: "Set Content-Type to application/json where the body is one message, and to text/event-stream where it is events.",
	Check: func(v *lint.View) {
		for s, x := range exchanges(v) {
			if s.Talk().Phase == step.Malformed || !isSuccess(x.Status) {
				continue
			}
			request := requestOf(s, x)
			if request == nil {
				continue
			}
			v.Saw()
			switch kind := x.Type(); {
			case kind == "application/json" || kind == "text/event-stream":
			case len(x.Answer) == 0:
				v.Failf(s, lint.Subject{Kind: "method", Name: request.MethodName()}, "a request is answered with status %d and nothing else", x.Status)
			default:
				v.Failf(s, lint.Subject{Kind: "method", Name: request.MethodName()}, "the response to a request is neither application/json nor text/event-stream")
			}
		}
	},
}
