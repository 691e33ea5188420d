package modern

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var sameForAll = lint.Rule{
	ID: "MOD-028", Slug: "same-for-all",
	Title:    "lists are the same over two connections",
	Severity: lint.Warning, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "server/tools#capabilities", Demand: "What a list has does not depend on the connection, nor on other requests; it may depend on who asks."}},
	What:  "Reads the first page of every declared list over two connections with the same credentials, and compares the items. Their order does not matter here.",
	Why:   "Clients keep lists and share them between connections. If they differ, a tool is offered that is not there, or the other way round.",
	Bad:   `one connection lists the tools read and write, the other only read`,
	Good:  `both list read and write`,
	Fix:   "Make lists from the server's configuration and the user's rights alone. If the difference is a change that really happened in between, run the check again.",
	Check: func(v *lint.View) {
		for _, main := range talks(v, step.Main) {
			for _, other := range talks(v, step.Stateless) {
				for _, s := range other.StepsOf(step.ListAgain) {
					before := main.Step(step.List, s.About)
					if before == nil || before.Answer() == nil || s.Answer() == nil || !before.Answer().HasResult() || !s.Answer().HasResult() {
						continue
					}
					v.Saw()
					if !sameItems(s.About, before.Answer(), s.Answer()) {
						v.Failf(s.Answer(), about(s.About), "has other items over another connection")
					}
				}
				if len(other.StepsOf(step.List)) == 0 {
					v.NotApplicable("the server has no lists")
				}
			}
		}
	},
}
