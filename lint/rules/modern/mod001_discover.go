package modern

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var discover = lint.Rule{
	ID: "MOD-001", Slug: "discover",
	Title:    "server/discover is implemented",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Passive,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "server/discover", Demand: "Every server implements server/discover, although no client has to call it."}},
	What:  "Sends server/discover with complete _meta. A server that answers other requests of this revision has to answer this one with a result.",
	Why:   "Clients that speak both eras find out with this request which of them a server speaks. Without an answer they fall back to the handshake of older revisions, or give up.",
	Bad:   `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}`,
	Good:  `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"public"}}`,
	Fix:   "Answer server/discover with supportedVersions, capabilities, ttlMs and cacheScope. An SDK of this revision does it by itself.",
	Check: func(v *lint.View) {
		served := len(results(v)) > 0
		for _, s := range steps(v, step.Discover) {
			switch got := answer(s); {
			case lost(v, s):
			case !served:
				v.NotVerified("no request of this revision was answered with a result")
			case got == nil:
				v.Failf(s, lint.Subject{}, "server/discover %s", unanswered(s))
			case !got.HasResult():
				v.Failf(got, lint.Subject{}, "server/discover is answered with error %d, although other requests of this revision are served", got.Code())
			default:
				v.Saw()
			}
		}
	},
}
