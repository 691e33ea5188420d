package streamable

import (
	"net/http"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var originChecked = lint.Rule{
	ID: "HTTP-018", Slug: "origin-checked",
	Title:    "a request from a foreign web page is refused",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		{Revisions: lint.A | lint.B | lint.C, Page: "basic/transports#security-warning", Demand: "The Origin header of every connection is validated, against DNS rebinding."},
		{Revisions: lint.D, Page: "basic/transports#security-warning", Demand: "The Origin header of every connection is validated; one that is present and not allowed gets status 403."},
		modern("security-&-endpoint", "The Origin header of every connection is validated; one that is present and not allowed gets status 403."),
	},
	What: "Sends the first request of a client and, in a session, a later one with Origin: http://evil.example. Both have to be refused, from 2025-11-25 on with status 403.",
	Why:  "Every web page that the user visits can send requests to servers on the user's machine and in the local network. The Origin header, which the page cannot change, is how the server tells them from real clients. Without the check a page can run the server's tools.",
	Bad: `POST initialize
Origin: http://evil.example
→ HTTP/1.1 200 OK`,
	Good: `POST initialize
Origin: http://evil.example
→ HTTP/1.1 403 Forbidden`,
	Fix: "Refuse requests with an Origin that is not on a list of allowed ones with 403; requests without Origin come from programs and are fine. In the TypeScript SDK set enableDnsRebindingProtection and allowedOrigins, in the Python SDK TransportSecuritySettings.",
	Check: func(v *lint.View) {
		for _, s := range judged(v, step.HTTPForeignOrigin) {
			if isSecondClient(v, s) {
				continue
			}
			v.Saw()
			subject := lint.Subject{Kind: "method", Name: s.About}
			if served(s) {
				v.Failf(s, subject, "a request with a foreign Origin is served")
			} else if status := response(s).Status; status != http.StatusForbidden && (lint.D | lint.E).Has(revision(s.Talk())) {
				v.Failf(s, subject, "a request with a foreign Origin is answered with status %d instead of 403", status)
			}
		}
	},
}
