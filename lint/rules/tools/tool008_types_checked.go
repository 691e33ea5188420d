package tools

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp/jsonrpc"
)

var typesChecked = lint.Rule{
	ID: "TOOL-008", Slug: "types-checked",
	Title:    "a call with arguments of wrong types is refused",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: lint.All, Level: lint.Call, Needs: "tools",
	Rests: []lint.Clause{{Revisions: lint.All, Page: "server/tools#security-considerations", Demand: "What a tool is called with is validated by the server."}},
	What:  "Calls tools that are marked read-only with a value of another type for each argument: an object for a string, a text that is no number for a number, and so on. Expected is a result with isError or an error -32602.",
	Why:   "Models do send wrong types. A tool that goes on with them works on something like [object Object], and nobody learns of it.",
	Bad:   `{"result":{"content":[{"type":"text","text":"0 matches for [object Object]"}]}}`,
	Good:  `{"result":{"content":[{"type":"text","text":"query must be a string"}],"isError":true}}`,
	Fix:   "Validate the arguments against the inputSchema before the tool runs; SDKs that take a schema with the tool do so.",
	Check: func(v *lint.View) {
		for _, c := range calls(v, step.CallWrongType) {
			if c.pending() {
				continue
			}
			v.Saw()
			switch {
			case c.answer.IsError() && c.answer.Code() != jsonrpc.InvalidParams:
				v.Failf(c.answer, c.subject(), "a call with arguments of wrong types is answered with the code %d", c.answer.Code())
			case !c.answer.IsError() && !c.failed():
				v.Failf(c.answer, c.subject(), "a call with arguments of wrong types succeeds")
			}
		}
	},
}
