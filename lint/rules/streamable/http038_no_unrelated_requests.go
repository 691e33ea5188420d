package streamable

import "mcpworks/lint"

var noUnrelatedRequests = lint.Rule{
	ID: "HTTP-038", Slug: "no-unrelated-requests",
	Title:    "modern response streams carry no requests of the server",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Transports: lint.Streamable, Level: lint.Passive,
	Rests: []lint.Clause{
		modern("receiving-messages", "The server sends no requests on a response stream; what it needs to know it asks in its result."),
	},
	What: "Looks at every event stream of a modern talk: none may carry a JSON-RPC request.",
	Why:  "A modern client has no way to answer it. The server waits for ever, and with it the call.",
	Bad:  `data: {"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{}}`,
	Good: `data: {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{}}}`,
	Fix:  "Return a result with resultType input_required and inputRequests, and go on when the client repeats the request with inputResponses.",
	Check: func(v *lint.View) {
		for _, s := range streams(v) {
			v.Saw()
			for _, m := range s.step.Messages() {
				if m.HTTP == s.x && m.FromServer && m.Kind == lint.Request {
					v.Failf(m, lint.Subject{Kind: "method", Name: m.MethodName()}, "the server sends a request on a response stream")
				}
			}
		}
	},
}
