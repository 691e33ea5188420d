package modern

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

var deprecated = lint.Rule{
	ID: "MOD-030", Slug: "deprecated",
	Title:    "nothing is used that is going to be removed",
	Severity: lint.Info, Strength: lint.Should,
	Revisions: lint.E, Level: lint.Passive,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "deprecated", Demand: "Logging, roots, sampling, includeContext and the HTTP+SSE transport are deprecated; new implementations should not adopt them."}},
	What:  "Looks for the logging capability, for inputRequests with roots/list or sampling/createMessage, for includeContext in the latter, and for a second way to the server over HTTP+SSE.",
	Why:   "They may be gone a year after this revision. What depends on them stops to work with clients that drop them earlier.",
	Bad:   `{"capabilities":{"tools":{},"logging":{}}}`,
	Good:  `{"capabilities":{"tools":{}}}`,
	Fix:   "Log to standard error or to OpenTelemetry, take folders as arguments of tools, call a model from the server itself, and offer Streamable HTTP.",
	Check: func(v *lint.View) {
		feature := func(name string) lint.Subject { return lint.Subject{Kind: "feature", Name: name} }
		for _, m := range discoveries(v) {
			v.Saw()
			if lint.Member(m.Result, "capabilities", "logging") != nil {
				v.Failf(m, feature("logging"), "is declared, and deprecated in this revision")
			}
		}
		for _, m := range inputRequired(v) {
			for _, request := range rawjson.Members(lint.Member(m.Result, "inputRequests")) {
				switch method, _ := lint.Text(lint.Member(request, "method")); method {
				case mcp.MethodListRoots:
					v.Failf(m, feature("roots"), "is used, and deprecated in this revision")
				case mcp.MethodCreateMessage:
					v.Failf(m, feature("sampling"), "is used, and deprecated in this revision")
					if lint.Member(request, "params", "includeContext") != nil {
						v.Failf(m, feature("includeContext"), "is used, and deprecated in this revision")
					}
				}
			}
		}
		if len(spoken(v)) == 0 {
			return
		}
		for _, t := range v.Record().Talks {
			if lint.TransportOf(t.Transport) == lint.SSE && t.Phase != step.Era {
				v.Failf(t, feature("HTTP+SSE"), "is offered, and deprecated in this revision")
			}
		}
	},
}
