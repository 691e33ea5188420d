package lifecycle

import (
	"mcpworks/lint"
	"mcpworks/mcp"
)

var templatesList = lint.Rule{
	ID: "LIFE-012", Slug: "templates-list",
	Title:    "with resources declared, resources/templates/list is answered with a list, if an empty one",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Probe, Needs: "resources",
	Rests: []lint.Clause{{Revisions: lint.All, Page: "server/resources#resource-templates", Demand: "Parameterised resources are offered through a list of templates."}},
	What:  "Asks for resources/templates/list. It has to be answered with a result; the list may be empty.",
	Why:   "There is no capability for templates alone, so clients ask every server with resources. Many of them show the refusal as an error.",
	Bad:   `→ resources/templates/list   ← {"error":{"code":-32601,"message":"Method not found"}}`,
	Good:  `→ resources/templates/list   ← {"result":{"resourceTemplates":[]}}`,
	Fix:   "Answer resources/templates/list with an empty list if there are no templates.",
	Check: func(v *lint.View) {
		for _, m := range tried(v, mcp.MethodListResourceTemplates) {
			if m.Answer == nil {
				continue
			}
			v.Saw()
			switch {
			case !m.Answer.IsError():
			case m.Answer.Code() == methodNotFound:
				v.Failf(m.Answer, lint.Subject{Kind: "method", Name: m.MethodName()}, "is not found, although resources are declared")
			default:
				v.Failf(m.Answer, lint.Subject{Kind: "method", Name: m.MethodName()}, "is answered with an error instead of a list")
			}
		}
	},
}
