package utilities

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp/jsonrpc"
)

var completionUnknown = lint.Rule{
	ID: "UTIL-005", Slug: "completion-unknown",
	Title:    "completion for an unknown prompt is refused with error -32602",
	Severity: lint.Info, Strength: lint.Should,
	Revisions: lint.All, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.All &^ lint.A, Page: "server/utilities/completion#error-handling", Demand: "A prompt name that does not exist is answered with error -32602."}},
	What:  "Sends completion/complete with a reference to a prompt that no server has, and expects error -32602.",
	Why:   "An empty list looks as if nothing matched. A client that asks for the wrong name never finds out.",
	Bad:   `{"result":{"completion":{"values":[]}}}`,
	Good:  `{"error":{"code":-32602,"message":"unknown prompt"}}`,
	Fix:   "Look the reference up before completing, and answer an unknown one with error -32602.",
	Check: func(v *lint.View) {
		for _, answer := range completions(v, step.CompleteUnknown) {
			v.Saw()
			switch {
			case answer.HasResult():
				v.Failf(answer, lint.Subject{}, "completion for an unknown prompt is answered with a result")
			case answer.Code() != jsonrpc.InvalidParams:
				v.Failf(answer, lint.Subject{}, "completion for an unknown prompt is answered with error code %d", answer.Code())
			}
		}
	},
}
