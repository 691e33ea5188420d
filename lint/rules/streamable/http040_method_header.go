package streamable

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var methodHeader = lint.Rule{
	ID: "HTTP-040", Slug: "method-header",
	Title:    "a missing or different Mcp-Method is refused",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		modern("server-validation", "A request whose headers are missing, or differ from its body, gets status 400 and the JSON-RPC error -32020."),
	},
	What: "Sends server/discover without Mcp-Method, and with that of another method. Both have to get status 400 and the code -32020.",
	Why:  "Servers, proxies and firewalls in between decide by the headers, the server acts by the body. If the two may differ, a request can be let through as one thing and run as another.",
	Bad: `Mcp-Method: tools/list
{"jsonrpc":"2.0","id":2,"method":"server/discover",…}
→ HTTP/1.1 200 OK`,
	Good: `Mcp-Method: tools/list
{"jsonrpc":"2.0","id":2,"method":"server/discover",…}
→ HTTP/1.1 400 Bad Request
  {"jsonrpc":"2.0","id":2,"error":{"code":-32020,…}}`,
	Fix: "Compare Mcp-Method with the method in the body before anything else is done, and refuse with 400 and -32020.",
	Check: func(v *lint.View) {
		for _, s := range judged(v, step.HTTPMethodHeader) {
			wantMismatch(v, s, lint.Subject{Kind: "header", Name: "Mcp-Method", Part: s.About}, "a request whose Mcp-Method is missing or different")
		}
	},
}
