package streamable

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

var base64Name = lint.Rule{
	ID: "HTTP-045", Slug: "base64-name",
	Title:    "Mcp-Name is understood in its base64 form",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Transports: lint.Streamable, Level: lint.Probe, Needs: "tools",
	Rests: []lint.Clause{
		modern("value-encoding", "A value between =?base64? and ?= is decoded before it is compared with the body."),
	},
	What: "Sends tools/call for a tool that does not exist, with its name in Mcp-Name in the base64 form. It must not be refused with -32020; that the tool is unknown is the right answer.",
	Why:  "Names and URIs with letters beyond ASCII can only be sent in this form. Tools and resources that have them could not be used.",
	Bad: `Mcp-Name: =?base64?bWNwbGludC1ub25l?=
→ HTTP/1.1 400 Bad Request
  {"jsonrpc":"2.0","id":2,"error":{"code":-32020,…}}`,
	Good: `Mcp-Name: =?base64?bWNwbGludC1ub25l?=
→ {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Unknown tool"}}`,
	Fix: "Decode Mcp-Name and Mcp-Param headers that begin with =?base64? and end with ?= before comparing them.",
	Check: func(v *lint.View) {
		for _, s := range judged(v, step.HTTPNameCoded) {
			v.Saw()
			if errorCode(s) == mcp.CodeHeaderMismatch {
				v.Failf(s, lint.Subject{}, "an Mcp-Name in its base64 form is refused as different from the body")
			}
		}
	},
}
