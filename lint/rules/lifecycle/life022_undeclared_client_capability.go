package lifecycle

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

var undeclaredClientCapability = lint.Rule{
	ID: "LIFE-022", Slug: "undeclared-client-capability",
	Title:    "the server only uses features that the client has declared",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.Legacy, Level: lint.Probe,
	Rests: []lint.Clause{
		{Revisions: lint.Legacy, Page: "basic/lifecycle#operation", Demand: "What was not negotiated is not used, by either side."},
	},
	What: "Connects a second time as a client without any capability and asks for all lists. The server must not send roots/list, sampling/createMessage or elicitation/create then, nor to any other client that has not declared the capability for it.",
	Why:  "A client without the feature refuses the request, and many a server then ends, hangs or logs an error for something that is quite usual.",
	Bad: `→ initialize, "capabilities":{}
← {"id":1,"method":"roots/list"}`,
	Good: `→ initialize, "capabilities":{"roots":{}}
← {"id":1,"method":"roots/list"}`,
	Fix: "Keep the capabilities of initialize and look at them before every request to the client; do without the feature if it is not there.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks() {
			if t.Client == nil {
				continue
			}
			if t.Phase == step.Bare && introduction(t) != nil && answers(t, step.Method) {
				v.Saw()
			}
			for _, m := range t.Messages() {
				capability := needs[m.MethodName()]
				if m.FromServer && m.Kind == lint.Request && capability != "" && lint.Member(t.Client, capability) == nil {
					v.Failf(m, lint.Subject{Kind: "method", Name: m.MethodName()}, "is requested from a client that has not declared %s", capability)
				}
			}
		}
	},
}

// needs has the capability of the client that a request of the server needs.
var needs = map[string]string{
	mcp.MethodListRoots:     "roots",
	mcp.MethodCreateMessage: "sampling",
	mcp.MethodElicit:        "elicitation",
}

// answers says whether a step of a name was answered.
func answers(t *lint.Talk, name string) bool {
	for _, s := range t.StepsOf(name) {
		if s.Answer() != nil {
			return true
		}
	}
	return false
}
