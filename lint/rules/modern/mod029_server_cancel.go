package modern

import (
	"mcpworks/lint"
	"mcpworks/mcp"
)

var serverCancel = lint.Rule{
	ID: "MOD-029", Slug: "server-cancel",
	Title:    "the server cancels nothing but subscriptions",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Passive,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic/patterns/cancellation", Demand: "A server sends notifications/cancelled only to end a subscriptions/listen request."}},
	What:  "Looks for notifications/cancelled from the server: requestId has to be the id of a subscriptions/listen that the client has sent in the same connection.",
	Why:   "The client takes the request for cancelled and stops waiting, although it may still be answered.",
	Bad:   `{"method":"notifications/cancelled","params":{"requestId":3}} for a tools/call with id 3`,
	Good:  `{"method":"notifications/cancelled","params":{"requestId":3}} for a subscriptions/listen with id 3`,
	Fix:   "Answer a request that cannot be finished with an error.",
	Check: func(v *lint.View) {
		for _, t := range spoken(v) {
			methods := map[string]string{} // of the client's requests, by id
			for _, m := range t.Messages() {
				switch {
				case !m.FromServer && m.Kind == lint.Request:
					methods[string(m.ID)] = m.MethodName()
				case m.FromServer && m.Kind != lint.Noise:
					v.Saw()
					if m.Kind != lint.Notification || m.MethodName() != mcp.NotifyCancelled {
						continue
					}
					if method := methods[string(lint.Member(m.Params, "requestId"))]; method == "" {
						v.Failf(m, lint.Subject{}, "the server cancels a request that the client never sent")
					} else if method != mcp.MethodListen {
						v.Failf(m, about(method), "the server cancels this request of the client")
					}
				}
			}
		}
	},
}
