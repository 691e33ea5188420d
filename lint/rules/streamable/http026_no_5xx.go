package streamable

import (
	"net/http"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var no5xx = lint.Rule{
	ID: "HTTP-026", Slug: "no-5xx",
	Title:    "mistakes of the client are not answered as failures of the server",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: anyRevision, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		other("RFC 9110 15.6", "A 5xx status says that the server has erred or cannot serve a request that is right."),
	},
	What: "Looks at the status of all probes that a client has got wrong on purpose: none may be 500 or another 5xx. Statuses that speak for a gateway or an overload (502, 503, 504) are left out, and 501 for an HTTP method.",
	Why:  "Clients and proxies try again after a 5xx, monitoring raises an alarm, and whoever made the mistake looks for it in the wrong place. Often it also means that an exception was not caught.",
	Bad: `POST {"jsonrpc":"2.0","id":1,
→ HTTP/1.1 500 Internal Server Error`,
	Good: `POST {"jsonrpc":"2.0","id":1,
→ HTTP/1.1 400 Bad Request`,
	Fix: "Check headers and body before they are used, and answer what is wrong in them with a 4xx status.",
	Check: func(v *lint.View) {
		for s, x := range exchanges(v) {
			switch s.Talk().Phase {
			case step.Main, step.Calling, step.HTTPSessions, step.HTTPBind:
				continue
			}
			if s.Name == step.HTTPSecondClient || s.Name == step.HTTPKeepAlive || s.Name == step.Initialize || isSecondClient(v, s) {
				continue // nothing is wrong with these
			}
			v.Saw()
			switch status := x.Status; {
			case status < 500 || status == http.StatusBadGateway || status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout:
			case status == http.StatusNotImplemented && s.Name == step.HTTPOtherMethod:
			default:
				v.Failf(s, lint.Subject{Kind: "probe", Name: s.Label()}, "a mistake of the client is answered with status %d", status)
			}
		}
	},
}
