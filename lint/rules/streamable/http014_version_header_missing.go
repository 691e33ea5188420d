package streamable

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var versionHeaderMissing = lint.Rule{
	ID: "HTTP-014", Slug: "version-header-missing",
	Title:    "a request without MCP-Protocol-Version is served",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: lint.C | lint.D, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		{Revisions: lint.C | lint.D, Page: "basic/transports#protocol-version-header", Demand: "Without the header the server goes by what it knows of the session, and otherwise assumes 2025-03-26."},
	},
	What: "Sends ping in an open session without MCP-Protocol-Version. It has to be served.",
	Why:  "The header is younger than the transport. Older clients and many small ones do not send it, and would be locked out.",
	Bad: `POST ping, without MCP-Protocol-Version
→ HTTP/1.1 400 Bad Request`,
	Good: `POST ping, without MCP-Protocol-Version
→ HTTP/1.1 200 OK`,
	Fix: "Take the version that was agreed on in initialize when the header is missing, or 2025-03-26 if there is no session.",
	Check: func(v *lint.View) {
		for _, s := range judged(v, step.HTTPVersionMissing) {
			v.Saw()
			if !served(s) {
				v.Failf(s, lint.Subject{}, "a request without MCP-Protocol-Version is not served, but answered with status %d", response(s).Status)
			}
		}
	},
}
