package streamable

import (
	"net/http"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var versionHeaderBad = lint.Rule{
	ID: "HTTP-013", Slug: "version-header-bad",
	Title:    "an MCP-Protocol-Version that does not exist gets status 400",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.C | lint.D, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		{Revisions: lint.C | lint.D, Page: "basic/transports#protocol-version-header", Demand: "A request with an invalid or unsupported MCP-Protocol-Version gets status 400."},
	},
	What: "Sends ping in an open session with MCP-Protocol-Version: 1999-01-01. The status has to be 400.",
	Why:  "The header says by which rules the message was written. A server that ignores it answers by other rules than the client expects, and the two misunderstand each other later, where it is harder to see.",
	Bad: `POST ping
MCP-Protocol-Version: 1999-01-01
→ HTTP/1.1 200 OK`,
	Good: `POST ping
MCP-Protocol-Version: 1999-01-01
→ HTTP/1.1 400 Bad Request`,
	Fix: "Compare the header with the versions that the server supports and answer 400 if it is none of them. Current SDKs do it.",
	Check: func(v *lint.View) {
		for _, s := range judged(v, step.HTTPVersionBad) {
			v.Saw()
			if served(s) {
				v.Failf(s, lint.Subject{}, "a version in MCP-Protocol-Version that does not exist is accepted")
			} else if status := response(s).Status; status != http.StatusBadRequest {
				v.Failf(s, lint.Subject{}, "a version in MCP-Protocol-Version that does not exist is answered with status %d instead of 400", status)
			}
		}
	},
}
