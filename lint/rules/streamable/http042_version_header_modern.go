package streamable

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var versionHeaderModern = lint.Rule{
	ID: "HTTP-042", Slug: "version-header-modern",
	Title:    "a missing or different MCP-Protocol-Version is refused",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		modern("protocol-version-header", "The header is on every request and equals the version in _meta; otherwise the request gets status 400 and -32020. A server for clients older than 2025-06-18 may take a request without the header for one of 2025-03-26."),
	},
	What: "Sends server/discover without MCP-Protocol-Version, and with another version than in _meta. Both have to get status 400 and the code -32020. If the server also serves revisions before 2025-06-18, serving a request without the header is a warning, and any refusal is right.",
	Why:  "Servers, proxies and firewalls in between decide by the headers, the server acts by the body. If the two may differ, a request can be let through as one thing and run as another.",
	Bad: `MCP-Protocol-Version: 2025-11-25
{…"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",…}}
→ HTTP/1.1 200 OK`,
	Good: `MCP-Protocol-Version: 2025-11-25
{…"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",…}}
→ HTTP/1.1 400 Bad Request
  {"jsonrpc":"2.0","id":2,"error":{"code":-32020,…}}`,
	Fix: "Compare MCP-Protocol-Version with the version in _meta, and refuse with 400 and -32020 if it differs or is missing.",
	Check: func(v *lint.View) {
		for _, s := range judged(v, step.HTTPVersionHeader) {
			subject := lint.Subject{Kind: "header", Name: "MCP-Protocol-Version", Part: s.About}
			if s.About != step.HTTPMissing || !servesOld(v.Record()) {
				wantMismatch(v, s, subject, "a request whose MCP-Protocol-Version is missing or different")
				continue
			}
			v.Saw()
			if status := response(s).Status; !isRefusal(status) {
				v.FailAs(lint.Warning, s, subject, "a modern request without MCP-Protocol-Version is answered with status %d", status)
			}
		}
	},
}

// servesOld says whether the server may have clients that have never heard of
// the header. If it was not asked for such a version, any legacy one will do.
func servesOld(r *lint.Record) bool {
	const old = lint.A | lint.B
	legacy, asked := false, false
	for _, t := range r.Talks {
		if t.Modern || t.Revision == "" {
			continue
		}
		if old.Has(t.Revision) {
			return true
		}
		legacy, asked = true, asked || old.Has(t.Asked)
	}
	return legacy && !asked
}
