package sse

import (
	"net/url"

	"mcpworks/lint"
	"mcpworks/mcp/transport/origin"
)

var endpointOrigin = lint.Rule{
	ID: "SSE-002", Slug: "endpoint-origin",
	Title:    "the endpoint has the origin of the stream",
	Severity: lint.Error, Strength: lint.Quality,
	Revisions: lint.Legacy, Transports: lint.SSE, Level: lint.Passive,
	What: "Resolves the endpoint against the address of the stream. Scheme, host and port have to be the same.",
	Why:  "Careful clients refuse an endpoint elsewhere, because everything the user says would go there, tokens included. It is also what a server behind a proxy does that does not know its own address.",
	Bad:  "the stream is https://mcp.example.com/sse, the endpoint http://localhost:3000/messages",
	Good: "the stream is https://mcp.example.com/sse, the endpoint /messages?session=8f14e45f",
	Fix:  "Send the endpoint as a path, without scheme and host.",
	Check: func(v *lint.View) {
		for _, s := range streams(v) {
			base, err := url.Parse(s.x.URL)
			endpoint := s.resolved()
			if err != nil || endpoint == nil {
				continue
			}
			v.Saw()
			if !origin.Same(base, endpoint) {
				v.Failf(s.step, lint.Subject{}, "the endpoint is at another origin than the stream")
			}
		}
	},
}
