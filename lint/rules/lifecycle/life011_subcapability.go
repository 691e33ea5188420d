package lifecycle

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var subcapability = lint.Rule{
	ID: "LIFE-011", Slug: "subcapability",
	Title:    "with resources.subscribe declared, a listed resource can be subscribed to and unsubscribed from",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.Legacy, Level: lint.Probe, Needs: "resources.subscribe",
	Rests: []lint.Clause{{Revisions: lint.Legacy, Page: "server/resources#capabilities", Demand: "The flag subscribe says that a client can subscribe to changes of single resources."}},
	What:  "Sends resources/subscribe and then resources/unsubscribe with the URI of the first listed resource. Both have to be answered with a result.",
	Why:   "A client that sees the flag waits for updates instead of reading again. If subscribing fails it shows an error, or old content for ever.",
	Bad: `"capabilities":{"resources":{"subscribe":true}}
→ resources/subscribe   ← {"error":{"code":-32601,"message":"Method not found"}}`,
	Good: `"capabilities":{"resources":{"subscribe":true}}
→ resources/subscribe   ← {"result":{}}`,
	Fix: "Implement resources/subscribe and resources/unsubscribe, or do not set the flag.",
	Check: func(v *lint.View) {
		for _, s := range append(v.Steps(step.Subscribe), v.Steps(step.Unsubscribe)...) {
			answer := s.Answer()
			if answer == nil {
				v.NotVerified("%s was not answered", s.Name)
				continue
			}
			v.Saw()
			if answer.IsError() {
				v.Failf(answer, lint.Subject{Kind: "method", Name: answer.MethodName()}, "fails for a listed resource, although resources.subscribe is declared")
			}
		}
		if len(v.Steps(step.Subscribe)) == 0 {
			v.NotVerified("there was no listed resource to subscribe to")
		}
	},
}
