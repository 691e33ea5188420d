package modern

import (
	"slices"

	"mcpworks/lint"
	"mcpworks/mcp"
)

var inputRequiredWhere = lint.Rule{
	ID: "MOD-018", Slug: "input-required-where",
	Title:    "only tools/call, prompts/get and resources/read ask the client for more",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Passive,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic/patterns/mrtr#supported-requests", Demand: "An input_required result answers prompts/get, resources/read and tools/call, and no other request."}},
	What:  "Looks at resultType of every result: input_required may only answer these three methods.",
	Why:   "Clients are prepared for it there and nowhere else. Elsewhere they take the result for one that is broken.",
	Bad:   `tools/list is answered with {"resultType":"input_required","requestState":"…"}`,
	Good:  `tools/call is answered with {"resultType":"input_required","requestState":"…"}`,
	Fix:   "Ask when the tool is called, not when it is listed.",
	Check: func(v *lint.View) {
		for _, m := range results(v) {
			v.Saw()
			method := m.MethodName()
			if isInputRequired(m) && !slices.Contains([]string{mcp.MethodCallTool, mcp.MethodGetPrompt, mcp.MethodReadResource}, method) {
				v.Failf(m, about(method), "the answer is an input_required result, which this method cannot have")
			}
		}
	},
}
