package rpc

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var oneResponse = lint.Rule{
	ID: "RPC-007", Slug: "one-response",
	Title:    "each request is answered once, and nothing is answered that was not asked",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Passive,
	Rests: append(onMessages(lint.All, "responses", "A response belongs to one request, whose id it has."),
		lint.Clause{Page: "JSON-RPC 2.0 5", Demand: "A call is answered with a response, which has the id of the call."}),
	What: "Counts the responses to every request of every talk, among them 25 requests that are sent at once at level probe. More than one is a failure, and so is a response with an id that no request had. What a resumed stream repeats does not count.",
	Why:  "The second answer is dropped at best. A client that uses ids again takes it for the answer to something else.",
	Bad:  "→ {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}\n← {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}\n← {\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32603,\"message\":\"already answered\"}}",
	Good: "→ {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}\n← {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}",
	Fix:  "Answer in one place, after the handler has returned or failed. Do not answer notifications, and do not make up ids.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks() {
			l := newLedger(t)
			for _, m := range t.Messages() {
				if m.FromServer && m.Kind == lint.Response && claimed(m) {
					judgeCount(v, t, l, m)
				}
			}
		}
	},
}

func judgeCount(v *lint.View, t *lint.Talk, l *ledger, m *lint.Message) {
	all, asked := l.answered[idKey(m.ID)], l.asked[idKey(m.ID)]
	switch {
	case unnamed(m.ID) || replayed(m):
	case asked > 0 && len(all) <= asked:
		v.Saw()
	case asked > 0 && m == all[asked]:
		v.Failf(m, ofMethod(m), "a request is answered more than once")
	case asked > 0 || t.Truncated > 0 || t.Phase == step.Malformed || m.Step.Name == step.Unasked || !validID(m.ID):
		// Seen already, or a matter of other rules.
	case l.meant(m) == nil:
		v.Failf(m, lint.Subject{}, "a response has an id that no request had")
	}
}
