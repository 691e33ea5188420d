package modern

import (
	"mcpworks/lint"
	"mcpworks/mcp"
)

var listenID = lint.Rule{
	ID: "MOD-024", Slug: "listen-id",
	Title:    "every message of a subscription carries its id",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic/patterns/subscriptions#receiving-notifications", Demand: "Notifications of a subscription have in _meta the id of the request that opened it."}},
	What:  "Opens one subscription whose request has a string for an id, and one with a number. _meta of every message of it has to have io.modelcontextprotocol/subscriptionId with the same value of the same type. A final result has to have it too.",
	Why:   "On stdio all subscriptions share one channel. Without the id a client cannot tell to whom a message belongs, and drops it.",
	Bad:   `the request has "id":7, the message "io.modelcontextprotocol/subscriptionId":"7"`,
	Good:  `the request has "id":7, the message "io.modelcontextprotocol/subscriptionId":7`,
	Fix:   "Keep the id of the request as it came, string or number, and write it into _meta of each message.",
	Check: func(v *lint.View) {
		messages := 0
		for _, sub := range subscriptions(v) {
			for _, m := range sub.stream {
				messages++
				v.Saw()
				judgeID(v, m, subscriptionID(m), sub.request.ID)
			}
			if sub.answer != nil && sub.answer.HasResult() {
				messages++
				v.Saw()
				judgeID(v, sub.answer, lint.Member(sub.answer.Result, "_meta", mcp.MetaSubscriptionID), sub.request.ID)
			}
		}
		if messages == 0 {
			notOpened(v)
		}
	},
}

func judgeID(v *lint.View, m *lint.Message, got, want []byte) {
	switch {
	case got == nil:
		v.Failf(m, about(m.MethodName()), "a message of a subscription lacks subscriptionId in _meta")
	case string(got) == string(want):
	case bare(got) == bare(want):
		v.Failf(m, about(m.MethodName()), "subscriptionId is not of the type that the id of the request has")
	default:
		v.Failf(m, about(m.MethodName()), "subscriptionId is not the id of the request")
	}
}
