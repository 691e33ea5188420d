package streamable

import (
	"slices"

	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

var paramHeaderChecked = lint.Rule{
	ID: "HTTP-049", Slug: "param-header-checked",
	Title:    "an Mcp-Param header that differs from its argument is refused",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Transports: lint.Streamable, Level: lint.Call, Needs: "tools",
	Rests: []lint.Clause{
		modern("server-behavior-for-custom-headers", "The values of Mcp-Param headers are compared with the arguments; a difference gets status 400 and -32020."),
	},
	What: "Calls read-only tools that have a parameter with x-mcp-header: the arguments are right, and one Mcp-Param header has another value. The status has to be 400 and the code -32020.",
	Why:  "Servers, proxies and firewalls in between decide by the headers, the server acts by the body. If the two may differ, a request can be let through as one thing and run as another.",
	Bad: `Mcp-Param-Region: elsewhere
{…"arguments":{"region":"eu"}}
→ HTTP/1.1 200 OK`,
	Good: `Mcp-Param-Region: elsewhere
{…"arguments":{"region":"eu"}}
→ HTTP/1.1 400 Bad Request
  {"jsonrpc":"2.0","id":2,"error":{"code":-32020,…}}`,
	Fix: "Compare each Mcp-Param header with its argument before the tool runs, and refuse with 400 and -32020.",
	Check: func(v *lint.View) {
		for _, s := range judged(v, step.HTTPParamHeader) {
			wantMismatch(v, s, lint.Subject{Kind: "tool", Name: s.About}, "a call with a wrong Mcp-Param header")
		}
		if slices.ContainsFunc(v.Items(mcp.MethodListTools), func(tool lint.Item) bool { return len(marksOf(tool)) > 0 }) {
			return
		}
		v.NotApplicable("no tool has x-mcp-header")
	},
}
