package tools

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp/jsonrpc"
)

var unknownTool = lint.Rule{
	ID: "TOOL-006", Slug: "unknown-tool",
	Title:    "a call of a tool that does not exist is an error -32602",
	Severity: lint.Error, Strength: lint.Must, SDKWide: true,
	Revisions: lint.All, Level: lint.Probe, Needs: "tools",
	Rests: []lint.Clause{{Revisions: lint.All, Page: "server/tools#error-handling", Demand: "An unknown tool is reported as a JSON-RPC error; the example has the code -32602."}},
	What:  "Calls a tool with a made-up name and without arguments. Expected is a JSON-RPC error with the code -32602. A result with isError is noted, because a widely used SDK answers so; another code is a warning, and a result without isError an error.",
	Why:   "A client that gets a result believes that something was done. With isError the model sees a failure of a tool instead of the client seeing that its list is out of date.",
	Bad:   `{"jsonrpc":"2.0","id":3,"result":{"content":[]}}`,
	Good:  `{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"Unknown tool: no_such_tool"}}`,
	Fix:   "Look the name up before anything else, and answer with error -32602 if it is not known. SDKs with a registry of tools do it in their newer versions.",
	Check: func(v *lint.View) {
		for _, s := range v.Steps(step.UnknownTool) {
			answer := s.Answer()
			if answer == nil {
				v.NotVerified("the call of an unknown tool was not answered")
				continue
			}
			v.Saw()
			switch {
			case answer.IsError() && answer.Code() == jsonrpc.InvalidParams:
			case answer.IsError():
				v.FailAs(lint.Warning, answer, lint.Subject{}, "the call of an unknown tool is answered with the code %d", answer.Code())
			case string(lint.Member(answer.Result, "isError")) == "true":
				v.FailAs(lint.Info, answer, lint.Subject{}, "the call of an unknown tool is answered with a result that has isError")
			default:
				v.Failf(answer, lint.Subject{}, "the call of an unknown tool succeeds")
			}
		}
	},
}
