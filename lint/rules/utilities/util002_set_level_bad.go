package utilities

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp/jsonrpc"
)

var setLevelBad = lint.Rule{
	ID: "UTIL-002", Slug: "set-level-bad",
	Title:    "an unknown log level is refused with error -32602",
	Severity: lint.Warning, Strength: lint.Should, SDKWide: true,
	Revisions: lint.Legacy, Level: lint.Probe, Needs: "logging",
	Rests: []lint.Clause{{Revisions: lint.Legacy, Page: "server/utilities/logging#error-handling", Demand: "A level that does not exist is answered with error -32602."}},
	What:  "Sends logging/setLevel with a level that does not exist, and expects error -32602. Another error is reported as info, as widely used SDKs answer -32603.",
	Why:   "A client with a typing mistake thinks that it has set a level, and waits for messages that never come.",
	Bad:   `{"method":"logging/setLevel","params":{"level":"loud"}} gives {"result":{}}`,
	Good:  `{"method":"logging/setLevel","params":{"level":"loud"}} gives {"error":{"code":-32602,"message":"unknown level"}}`,
	Fix:   "Check the level against the eight known ones, and answer others with error -32602.",
	Check: func(v *lint.View) {
		for _, answer := range v.Answers(step.SetBadLevel) {
			v.Saw()
			switch {
			case answer.HasResult():
				v.Failf(answer, lint.Subject{}, "an unknown log level is accepted")
			case answer.Code() != jsonrpc.InvalidParams:
				v.FailAs(lint.Info, answer, lint.Subject{}, "an unknown log level is refused with error code %d", answer.Code())
			}
		}
	},
}
