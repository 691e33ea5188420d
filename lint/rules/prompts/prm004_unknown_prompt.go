package prompts

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var unknownPrompt = lint.Rule{
	ID: "PRM-004", Slug: "unknown-prompt",
	Title:    "an unknown prompt is refused with error -32602",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: lint.All, Level: lint.Probe, Needs: "prompts",
	Rests: []lint.Clause{{Revisions: lint.All, Page: "server/prompts#error-handling", Demand: "A name that no prompt has is invalid params, -32602."}},
	What:  "Sends prompts/get with a name that no server has, and expects error -32602.",
	Why:   "A client that still shows a prompt from yesterday learns by the code that the prompt is gone. Another code says that the server is broken, and a result sends a model something nobody asked for.",
	Bad:   `{"jsonrpc":"2.0","id":6,"error":{"code":-32603,"message":"unknown prompt"}}`,
	Good:  `{"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"unknown prompt"}}`,
	Fix:   "Answer unknown names with error -32602 (invalid params); with the TypeScript SDK throw McpError with ErrorCode.InvalidParams.",
	Check: func(v *lint.View) {
		for _, answer := range v.Answers(step.GetUnknownPrompt) {
			wantInvalidParams(v, answer, lint.Subject{}, "an unknown prompt")
		}
	},
}
