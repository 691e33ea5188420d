package modern

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var stateless = lint.Rule{
	ID: "MOD-027", Slug: "stateless",
	Title:    "a list as the first request gives the same as after server/discover",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic#statelessness", Demand: "A server does not rely on earlier requests of the same connection; each one is complete in itself."}},
	What:  "Opens a connection of its own and asks for every declared list as the first thing, then for server/discover, then for the same lists again. Both answers have to be results with the same items.",
	Why:   "Clients are free to begin with any request, and requests may reach different instances of a server behind a load balancer. A server that wants to be greeted first fails there at random.",
	Bad:   `tools/list as the first message is answered with {"error":{"code":-32600,"message":"Server not initialized"}}`,
	Good:  `tools/list as the first message is answered with {"result":{"resultType":"complete","tools":[…]}}`,
	Fix:   "Take everything that a request needs from its own _meta, and prepare lists when the process starts.",
	Check: func(v *lint.View) {
		for _, t := range talks(v, step.Stateless) {
			for _, s := range t.StepsOf(step.List) {
				later := t.Step(step.ListAgain, s.About)
				if s.Outcome == lint.NotSent || later == nil || later.Answer() == nil || !later.Answer().HasResult() {
					v.NotVerified("%s did not work after server/discover either", s.About)
					continue
				}
				v.Saw()
				switch first := answer(s); {
				case first == nil:
					v.Failf(s, about(s.About), "%s before server/discover", unanswered(s))
				case !first.HasResult():
					v.Failf(first, about(s.About), "is refused with error %d before server/discover", first.Code())
				case !sameItems(s.About, first, later.Answer()):
					v.Failf(first, about(s.About), "has other items before server/discover than after it")
				}
			}
			if len(t.StepsOf(step.List)) == 0 {
				v.NotApplicable("the server has no lists")
			}
		}
	},
}
