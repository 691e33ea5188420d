package streamable

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var hostChecked = lint.Rule{
	ID: "HTTP-020", Slug: "host-checked",
	Title:    "a server on this machine refuses foreign host names",
	Severity: lint.Error, Strength: lint.Quality,
	Revisions: lint.All, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		{Revisions: lint.Legacy, Page: "basic/transports#security-warning", Demand: "Servers protect themselves against DNS rebinding, by which a web page reaches a local server under a name of its own."},
		modern("security-&-endpoint", "Servers protect themselves against DNS rebinding, by which a web page reaches a local server under a name of its own."),
	},
	What: "Sends the request with Host: evil.example to a server on this machine. It has to be refused. If a foreign Origin is served as well, that is an error, otherwise a warning.",
	Why:  "By DNS rebinding a page gives its own name the address 127.0.0.1. The browser then takes the local server for the page's own and lets it read everything. Only the Host header still shows the foreign name.",
	Bad: `POST ping
Host: evil.example
→ HTTP/1.1 200 OK`,
	Good: `POST ping
Host: evil.example
→ HTTP/1.1 403 Forbidden`,
	Fix: "On a loopback address serve only localhost, 127.0.0.1 and [::1] as Host, and answer others with 403. In the TypeScript SDK set enableDnsRebindingProtection and allowedHosts, in the Python SDK TransportSecuritySettings.",
	Check: func(v *lint.View) {
		if !v.Record().Target.Loopback {
			v.NotApplicable("the server is not on this machine")
			return
		}
		severity := lint.Warning
		for _, s := range judged(v, step.HTTPForeignOrigin) {
			if served(s) {
				severity = lint.Error
			}
		}
		for _, s := range judged(v, step.HTTPForeignHost) {
			v.Saw()
			if served(s) {
				v.FailAs(severity, s, lint.Subject{}, "a request with a foreign Host is served")
			}
		}
	},
}
