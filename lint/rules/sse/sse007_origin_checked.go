package sse

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var originChecked = lint.Rule{
	ID: "SSE-007", Slug: "origin-checked",
	Title:    "requests from foreign web pages are refused",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.Legacy, Transports: lint.SSE, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.Legacy, Page: "basic/transports#security-warning", Demand: "Whatever connects has its Origin checked, because of DNS rebinding."}},
	What:  "Opens the stream with GET, and posts a ping to the endpoint, both with the header Origin: http://evil.example. Neither may be served; 403 is the right refusal.",
	Why:   "Any web page that the user opens can talk to a server on the user's machine. Without this check it can call the server's tools unseen.",
	Bad:   "GET /sse with Origin: http://evil.example → 200, text/event-stream",
	Good:  "GET /sse with Origin: http://evil.example → 403",
	Fix:   "Keep a list of allowed origins, and answer 403 to a request whose Origin is not on it, on both endpoints. Some SDKs have an option for it that is off by default.",
	Check: func(v *lint.View) {
		for _, s := range steps(v, step.ForeignOrigin) {
			x := asked(s)
			if x == nil || x.Status == 0 {
				v.NotVerified("there was no response to a request with a foreign Origin")
				continue
			}
			v.Saw()
			if x.Status/100 == 2 {
				v.Failf(s, lint.Subject{Kind: "method", Name: s.About}, "a request with a foreign Origin is served with HTTP status %d", x.Status)
			}
		}
	},
}
