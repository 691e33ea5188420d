package modern

import "mcpworks/lint"

var listenSupported = lint.Rule{
	ID: "MOD-026", Slug: "listen-supported",
	Title:    "what the server declares to announce can be subscribed to",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.E, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic/patterns/subscriptions#acknowledgment", Demand: "The acknowledgement has what the server is going to send of what was asked for."}},
	What:  "Opens a subscription for everything. The request must not be refused, and every kind whose flag is declared (listChanged of tools, prompts and resources, subscribe of resources) has to be acknowledged.",
	Why:   "A client that trusts the flag stops asking for the list, and never learns of a change.",
	Bad:   `{"tools":{"listChanged":true}} is declared, and subscriptions/listen is answered with {"error":{"code":-32603,"message":"limit reached"}}`,
	Good:  `{"tools":{"listChanged":true}} is declared, and {"toolsListChanged":true} is acknowledged`,
	Fix:   "Serve subscriptions/listen for each flag that is declared, or do not declare the flag.",
	Check: func(v *lint.View) {
		for _, sub := range subscriptions(v) {
			if sub.refused() {
				v.Failf(sub.answer, lint.Subject{}, "subscriptions/listen is refused with error %d", sub.answer.Code())
				continue
			}
			ack := sub.acknowledgement()
			if ack == nil {
				continue // MOD-023 says so
			}
			v.Saw()
			granted := lint.Member(ack.Params, "notifications")
			for _, kind := range kinds {
				if grants(sub.filter, kind.member) && sub.step.Talk().Declares(kind.flag) && !grants(granted, kind.member) {
					v.Failf(ack, lint.Subject{Kind: "capability", Name: kind.flag}, "is declared, and %s is not acknowledged", kind.member)
				}
			}
		}
	},
}
