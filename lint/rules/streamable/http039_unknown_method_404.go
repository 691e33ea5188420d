package streamable

import (
	"net/http"

	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp/jsonrpc"
)

var unknownMethod404 = lint.Rule{
	ID: "HTTP-039", Slug: "unknown-method-404",
	Title:    "an unknown method gets status 404 with the code -32601",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		modern("protocol-version-header", "A request for a method that the server does not implement gets status 404 and the JSON-RPC error -32601."),
	},
	What: "Posts a request with a method that no revision knows. The status has to be 404, and the body a JSON-RPC error with the code -32601.",
	Why:  "Clients find out by this answer what a server can do, and tell a modern server that lacks a method from an address where there is no server.",
	Bad: `POST mcplint/doesNotExist
→ HTTP/1.1 200 OK
  {"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"Method not found"}}`,
	Good: `POST mcplint/doesNotExist
→ HTTP/1.1 404 Not Found
  {"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"Method not found"}}`,
	Fix: "Answer unknown methods with status 404 and a JSON-RPC error of code -32601.",
	Check: func(v *lint.View) {
		for _, s := range judged(v, step.HTTPUnknownMethod) {
			v.Saw()
			if status := response(s).Status; status != http.StatusNotFound {
				v.Failf(s, lint.Subject{}, "an unknown method is answered with status %d instead of 404", status)
			} else if errorCode(s) != jsonrpc.MethodNotFound {
				v.Failf(s, lint.Subject{}, "an unknown method is answered without the code %d", jsonrpc.MethodNotFound)
			}
		}
	},
}
