package tools

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
)

var executionError = lint.Rule{
	ID: "TOOL-009", Slug: "execution-error",
	Title:    "a tool that fails says so in its result",
	Severity: lint.Info, Strength: lint.Should,
	Revisions: lint.D | lint.E, Level: lint.Call, Needs: "tools",
	Rests: []lint.Clause{{Revisions: lint.D | lint.E, Page: "server/tools#error-handling", Demand: "Failures of a tool, and arguments that it cannot use, are results with isError; JSON-RPC errors are for unknown tools and malformed requests."}},
	What:  "Looks at all calls of existing tools, with good and with bad arguments: their answer should be a result. Errors that tell of a missing capability, of a page that the user has to visit, or of a tool that only runs as a task are fine.",
	Why:   "The model gets to see results, not JSON-RPC errors. With isError it reads what was wrong and tries again; with an error the client gives up.",
	Bad:   `{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"no such file"}}`,
	Good:  `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"no such file"}],"isError":true}}`,
	Fix:   "Catch failures in the tool and return them as text with isError. In most SDKs it is enough to throw or return an error from the tool's function.",
	Check: func(v *lint.View) {
		for _, c := range calls(v, step.Call, step.CallAgain, step.CallMissing, step.CallWrongType) {
			v.Saw()
			switch {
			case !c.answer.IsError(), c.mayBeError(v):
			case c.step.Name == step.CallMissing, c.step.Name == step.CallWrongType:
				v.Failf(c.answer, c.subject(), "bad arguments are answered with a JSON-RPC error instead of a result with isError")
			default:
				v.Failf(c.answer, c.subject(), "a call is answered with a JSON-RPC error instead of a result with isError")
			}
		}
	},
}

// codeURLElicitation is the error of a tool that wants the user to visit a page
// (2025-11-25).
const codeURLElicitation = -32042

// mayBeError says whether the error is one that a result cannot say.
func (c call) mayBeError(v *lint.View) bool {
	switch c.answer.Code() {
	case mcp.CodeMissingCapability, codeURLElicitation:
		return true
	case jsonrpc.MethodNotFound:
		item, _ := toolOf(v, c)
		return rawjson.IsString(lint.Member(item.Raw, "execution", "taskSupport"), "required")
	}
	return false
}
