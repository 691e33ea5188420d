package modern

import (
	"mcpworks/lint"
	"mcpworks/mcp"
)

var listenAck = lint.Rule{
	ID: "MOD-023", Slug: "listen-ack",
	Title:    "a subscription begins with its acknowledgement",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic/patterns/subscriptions#acknowledgment", Demand: "The first message of a subscription is notifications/subscriptions/acknowledged."}},
	What:  "Opens a subscription with subscriptions/listen, and looks at the first message that belongs to it. If none comes within a moment, the acknowledgement is missing.",
	Why:   "The client does not know whether anyone listens, and goes on asking for lists again and again, or shows old ones.",
	Bad:   `subscriptions/listen is followed by {"method":"notifications/tools/list_changed"}`,
	Good:  `subscriptions/listen is followed by {"method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"toolsListChanged":true}}}`,
	Fix:   "Send the acknowledgement at once when the subscription is opened, before any other message on it.",
	Check: func(v *lint.View) {
		opened := 0
		for _, sub := range subscriptions(v) {
			switch {
			case sub.refused() || sub.step.Outcome == lint.Lost:
				continue
			case len(sub.stream) > 0 && sub.stream[0].MethodName() != mcp.NotifyAcknowledged:
				v.Failf(sub.stream[0], lint.Subject{}, "the first message of a subscription is %s, not its acknowledgement", sub.stream[0].MethodName())
			case len(sub.stream) == 0 && sub.answer != nil:
				v.Failf(sub.answer, lint.Subject{}, "subscriptions/listen is answered at once, without an acknowledgement")
			case len(sub.stream) == 0:
				v.Failf(sub.step, lint.Subject{}, "a subscription is never acknowledged")
			}
			v.Saw()
			opened++
		}
		if opened == 0 {
			notOpened(v)
		}
	},
}
