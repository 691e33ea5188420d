package rpc

import (
	"slices"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var notificationSilent = lint.Rule{
	ID: "RPC-010", Slug: "notification-silent",
	Title:    "notifications are never answered",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Probe,
	Rests: onMessages(lint.All, "notifications", "Nothing is sent back for a notification."),
	What:  "Sends a notification with an unknown method, a cancellation of a request that was never made and one that is malformed, and waits a second. No response may come of them, not even an error, nor of notifications/initialized. A refusal with a status of HTTP is allowed.",
	Why:   "Nobody waits for the answer, and it has no id to go by. Some clients take it for a broken message and close the connection.",
	Bad:   "→ {\"jsonrpc\":\"2.0\",\"method\":\"notifications/unknown\"}\n← {\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32601,\"message\":\"method not found\"}}",
	Good:  "→ {\"jsonrpc\":\"2.0\",\"method\":\"notifications/unknown\"}",
	Fix:   "Look for the id before anything is answered: a message without the member id gets no response, whether it was understood or not. Over HTTP, answer with 202 and no body.",
	Check: func(v *lint.View) {
		for _, s := range slices.Concat(v.Steps(step.Unasked), v.Steps(step.Initialized)) {
			if s.Name == step.Unasked && s.Outcome != lint.Lost {
				v.Saw()
			}
			for _, m := range during(s) {
				if answersNothing(m) && (unnamed(m.ID) || s.Name == step.Unasked) && s.Asked() != nil {
					v.Fail(lint.Finding{Message: "a notification is answered", Evidence: besides(s.Asked(), m), Revision: s.Talk().Revision})
				}
			}
		}
	},
}

// answersNothing says whether a message is a response of the server to no
// request, and not the body of a refusal.
func answersNothing(m *lint.Message) bool {
	return m.FromServer && m.Kind == lint.Response && m.Asked == nil && claimed(m) && !refused(m)
}
