package lifecycle

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var implementedDeclared = lint.Rule{
	ID: "LIFE-010", Slug: "implemented-declared",
	Title:    "a list that the server gives belongs to a capability that it declares",
	Severity: lint.Warning, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Probe,
	Rests: []lint.Clause{
		{Revisions: lint.Legacy, Page: "basic/lifecycle#capability-negotiation", Demand: "Capabilities say which features are available in the session."},
		{Revisions: lint.Modern, Page: "server/discover", Demand: "The capabilities in the answer are those that the server has."},
		{Revisions: lint.All, Page: "server/tools#capabilities", Demand: "A server with tools declares the capability tools."},
		{Revisions: lint.All, Page: "server/resources#capabilities", Demand: "A server with resources declares the capability resources."},
		{Revisions: lint.All, Page: "server/prompts#capabilities", Demand: "A server with prompts declares the capability prompts."},
	},
	What: "Asks for tools/list, resources/list, resources/templates/list and prompts/list although their capability is not declared. Each has to be answered with an error, -32601 by rights; a result is reported.",
	Why:  "Clients only ask for what is declared, so nobody ever sees what is in such a list. If the list is empty, the method is there for nothing.",
	Bad: `"capabilities":{"tools":{}}
→ prompts/list   ← {"result":{"prompts":[{"name":"greet"}]}}`,
	Good: `"capabilities":{"tools":{}}
→ prompts/list   ← {"error":{"code":-32601,"message":"Method not found"}}`,
	Fix: "Declare the capability, or answer its methods with -32601.",
	Check: func(v *lint.View) {
		undeclared := false
		for _, s := range v.Steps(step.Method) {
			capability := capabilityOf[s.About]
			if s.Talk().Capabilities() == nil || capability == "" || s.Talk().Declares(capability) {
				continue
			}
			undeclared = true
			answer := s.Answer()
			if answer == nil && !refused(s) {
				continue
			}
			v.Saw()
			if answer != nil && answer.HasResult() {
				v.Failf(answer, lint.Subject{Kind: "method", Name: s.About}, "works, although its capability is not declared")
			}
		}
		if !undeclared && len(v.Steps(step.Method)) > 0 {
			v.NotApplicable("every capability that has a list is declared")
		}
	},
}
