package modern

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp/jsonrpc"
)

var logLevelBad = lint.Rule{
	ID: "MOD-016", Slug: "log-level-bad",
	Title:    "a log level that does not exist is refused",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: lint.E, Level: lint.Probe, Needs: "logging",
	Rests: []lint.Clause{{Revisions: lint.E, Page: "server/utilities/logging#error-handling", Demand: "A request whose log level is none of the eight should be answered with error -32602."}},
	What:  "Sends a request whose _meta has a log level that does not exist, and expects error -32602.",
	Why:   "A client with a spelling mistake gets no log messages and no hint why.",
	Bad:   `a request with "io.modelcontextprotocol/logLevel":"loud" is answered with a result`,
	Good:  `{"error":{"code":-32602,"message":"unknown log level"}}`,
	Fix:   "Accept debug, info, notice, warning, error, critical, alert and emergency, and answer -32602 to anything else.",
	Check: func(v *lint.View) {
		for _, s := range steps(v, step.LogLevelBad) {
			switch got := answer(s); {
			case lost(v, s):
			case got == nil:
				v.Failf(s, lint.Subject{}, "a request with an unknown log level %s", unanswered(s))
			case got.HasResult():
				v.Failf(got, lint.Subject{}, "a request with an unknown log level is served")
			case got.Code() != jsonrpc.InvalidParams:
				v.Failf(got, lint.Subject{}, "a request with an unknown log level is refused with error %d, not with %d", got.Code(), jsonrpc.InvalidParams)
			default:
				v.Saw()
			}
		}
	},
}
