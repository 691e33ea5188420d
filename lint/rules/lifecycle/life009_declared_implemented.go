package lifecycle

import (
	"mcpworks/lint"
	"mcpworks/mcp"
)

var declaredImplemented = lint.Rule{
	ID: "LIFE-009", Slug: "declared-implemented",
	Title:    "a capability that is declared has its methods",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Passive,
	Rests: []lint.Clause{
		{Revisions: lint.Legacy, Page: "basic/lifecycle#capability-negotiation", Demand: "Capabilities say which features are available in the session."},
		{Revisions: lint.Modern, Page: "server/discover", Demand: "The capabilities in the answer are those that the server has."},
	},
	What: "Asks for tools/list, resources/list, prompts/list, logging/setLevel and completion/complete where their capabilities are declared. None may be answered with -32601, method not found. At level passive only the lists are asked for.",
	Why:  "Clients ask for what is declared. When that fails they show an error, and some give up the server altogether.",
	Bad: `"capabilities":{"tools":{},"resources":{}}
→ resources/list   ← {"error":{"code":-32601,"message":"Method not found"}}`,
	Good: `"capabilities":{"tools":{}}`,
	Fix:  "Remove the capability, or implement its methods. With the low-level server of an SDK, a capability that is named needs a handler for each of its methods; the high-level one declares what has been registered.",
	Check: func(v *lint.View) {
		for _, m := range tried(v, mcp.MethodListTools, mcp.MethodListResources, mcp.MethodListPrompts, mcp.MethodSetLevel, mcp.MethodComplete) {
			capability := capabilityOf[m.MethodName()]
			if m.Answer == nil || !m.Talk().Declares(capability) {
				continue
			}
			v.Saw()
			if m.Answer.IsError() && m.Answer.Code() == methodNotFound {
				v.Failf(m.Answer, lint.Subject{Kind: "capability", Name: capability}, "is declared, but %s is answered with method not found", m.MethodName())
			}
		}
		if !declaresAny(v) {
			v.NotApplicable("the server declares none of these capabilities")
		}
	},
}

func declaresAny(v *lint.View) bool {
	for _, t := range v.Talks() {
		for _, capability := range capabilityOf {
			if t.Declares(capability) {
				return true
			}
		}
	}
	return false
}
