package modern

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

var unsupportedVersion = lint.Rule{
	ID: "MOD-004", Slug: "unsupported-version",
	Title:    "a request in an unknown version is refused, with a list of the known ones",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic/versioning#protocol-version-negotiation", Demand: "A version that the server does not speak is answered with error -32022, whose data has the versions that it does speak and the one that was asked for; over HTTP with status 400."}},
	What:  "Sends requests whose _meta (and over HTTP the header too) names version 1999-01-01: server/discover as the first message, and a list after a proper server/discover and the same list in a proper version. Both have to fail with -32022, data.supported and data.requested, and over HTTP with status 400.",
	Why:   "Each request stands for itself in this revision. A server that serves a version it does not know answers in a form that the client does not expect, and a client that is refused without the list cannot choose another version.",
	Bad:   `tools/list in version 1999-01-01 is answered with {"result":{"tools":[]}}`,
	Good:  `{"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"1999-01-01"}}}`,
	Fix:   "Check io.modelcontextprotocol/protocolVersion of every request before it is dispatched, also after the first one of a connection, and answer -32022 with supported and requested.",
	Check: func(v *lint.View) {
		for _, s := range steps(v, step.UnsupportedVersion) {
			if lost(v, s) {
				continue
			}
			v.Saw()
			subject, got := about(s.About), answer(s)
			switch {
			case got == nil:
				v.Failf(s, subject, "a request in the unknown version %s %s", step.UnknownVersion, unanswered(s))
				continue
			case got.HasResult():
				v.Failf(got, subject, "a request in the unknown version %s is served", step.UnknownVersion)
				continue
			case got.Code() != mcp.CodeUnsupportedVersion:
				v.Failf(got, subject, "a request in the unknown version %s is refused with error %d, not with %d", step.UnknownVersion, got.Code(), mcp.CodeUnsupportedVersion)
				continue
			}
			data := lint.Member(got.Error, "data")
			if versions, ok := texts(lint.Member(data, "supported")); !ok || len(versions) == 0 {
				v.Failf(got, subject, "error %d has no list data.supported", mcp.CodeUnsupportedVersion)
			}
			if !rawjson.IsString(lint.Member(data, "requested"), step.UnknownVersion) {
				v.Failf(got, subject, "error %d does not say in data.requested which version was asked for", mcp.CodeUnsupportedVersion)
			}
			if otherStatus(got, 400) {
				v.Failf(got, subject, "error %d comes with HTTP status %d, not 400", mcp.CodeUnsupportedVersion, got.HTTP.Status)
			}
		}
	},
}
