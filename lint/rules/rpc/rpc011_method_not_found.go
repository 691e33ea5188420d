package rpc

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp/jsonrpc"
)

var methodNotFound = lint.Rule{
	ID: "RPC-011", Slug: "method-not-found",
	Title:    "an unknown method is answered with the error -32601",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Probe,
	Rests: []lint.Clause{
		{Revisions: lint.E, Page: "basic/transports/streamable-http", Demand: "A method that the server does not have is answered with -32601."},
		{Page: "JSON-RPC 2.0 5.1", Demand: "-32601 says that the method does not exist or is not available."},
	},
	What: "Sends a request for mcplint/doesNotExist and expects an error with the code -32601. No answer at all is a matter of RPC-012.",
	Why:  "Clients learn by this code which parts of the protocol a server does not have, and go on without them. Any other answer looks like a failure, or like support.",
	Bad:  `{"jsonrpc":"2.0","id":4,"error":{"code":-32603,"message":"unknown method"}}`,
	Good: `{"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"method not found"}}`,
	Fix:  "Answer -32601 wherever no handler is registered for the method; over HTTP too, in a JSON-RPC error.",
	Check: func(v *lint.View) {
		for _, s := range v.Steps(step.UnknownMethod) {
			switch answer, x := s.Answer(), s.Exchange(); {
			case answer != nil && answer.IsError() && answer.Code() == jsonrpc.MethodNotFound:
				v.Saw()
			case answer != nil && answer.IsError():
				v.Failf(answer, lint.Subject{}, "an unknown method is answered with the code %d", answer.Code())
			case answer != nil:
				v.Failf(answer, lint.Subject{}, "an unknown method is answered with a result")
			case x != nil && x.Status >= 400:
				v.Failf(s, lint.Subject{}, "an unknown method is answered with the HTTP status %d, and no JSON-RPC error with its id", x.Status)
			default:
				v.NotVerified("the request for an unknown method was not answered")
			}
		}
	},
}
