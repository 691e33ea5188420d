package streamable

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var nameHeader = lint.Rule{
	ID: "HTTP-041", Slug: "name-header",
	Title:    "a missing or different Mcp-Name is refused",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Transports: lint.Streamable, Level: lint.Probe, Needs: "tools",
	Rests: []lint.Clause{
		modern("server-validation", "A request whose headers are missing, or differ from its body, gets status 400 and the JSON-RPC error -32020."),
	},
	What: "Sends tools/call for a tool that does not exist, without Mcp-Name, and with another name that does not exist. Both have to get status 400 and the code -32020.",
	Why:  "Servers, proxies and firewalls in between decide by the headers, the server acts by the body. If the two may differ, a request can be let through as one thing and run as another.",
	Bad: `Mcp-Name: other
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"mcplint-none",…}}
→ HTTP/1.1 200 OK`,
	Good: `Mcp-Name: other
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"mcplint-none",…}}
→ HTTP/1.1 400 Bad Request
  {"jsonrpc":"2.0","id":2,"error":{"code":-32020,…}}`,
	Fix: "Compare Mcp-Name with params.name, or params.uri of resources/read, before the tool is looked up, and refuse with 400 and -32020.",
	Check: func(v *lint.View) {
		for _, s := range judged(v, step.HTTPNameHeader) {
			wantMismatch(v, s, lint.Subject{Kind: "header", Name: "Mcp-Name", Part: s.About}, "a call whose Mcp-Name is missing or different")
		}
	},
}
