package modern

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var clientInfoOptional = lint.Rule{
	ID: "MOD-007", Slug: "client-info-optional",
	Title:    "a request without clientInfo is served",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic#meta", Demand: "A client should name itself in _meta, and need not: clientInfo is optional."}},
	What:  "Sends server/discover with everything in its _meta but io.modelcontextprotocol/clientInfo, and expects a result.",
	Why:   "Clients that keep their name to themselves, for privacy for example, cannot use the server at all.",
	Bad:   `{"error":{"code":-32602,"message":"clientInfo is required"}}`,
	Good:  `{"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}}`,
	Fix:   "Take clientInfo for logs and display if it is there, and do without it otherwise.",
	Check: func(v *lint.View) {
		for _, s := range steps(v, step.MetaForm) {
			if s.About != step.NoClientInfo {
				continue
			}
			switch got := answer(s); {
			case lost(v, s):
			case got == nil:
				v.Failf(s, lint.Subject{}, "a request without clientInfo %s", unanswered(s))
			case !got.HasResult():
				v.Failf(got, lint.Subject{}, "a request without clientInfo is refused with error %d", got.Code())
			default:
				v.Saw()
			}
		}
	},
}
