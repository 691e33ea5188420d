package rpc

import "mcpworks/lint"

var idEcho = lint.Rule{
	ID: "RPC-006", Slug: "id-echo",
	Title:    "a response repeats the id of its request, with the same value and JSON type",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Passive,
	Rests: onMessages(lint.All, "responses", "By its id, which it repeats, a response names its request."),
	What:  "Compares the id of every response with those of the requests before it: 7 is not the same as \"7\" or 7.0. A response that has another id, or none, is taken for an answer if it came in the HTTP response to a request, if its id looks like that of an open request, or if it came while one was waited for.",
	Why:   "Clients find the caller by the id. A response with another one is dropped, and the caller waits until its time is over.",
	Bad:   "→ {\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}\n← {\"jsonrpc\":\"2.0\",\"id\":\"7\",\"result\":{}}",
	Good:  "→ {\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}\n← {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}",
	Fix:   "Keep the id as the JSON value that it came as, and write it back unchanged.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks() {
			l := newLedger(t)
			for _, m := range t.Messages() {
				if !m.FromServer || m.Kind != lint.Response || !claimed(m) {
					continue
				}
				if m.Asked != nil {
					v.Saw()
					continue
				}
				// What is about odd ids has a rule of its own.
				if asked := l.meant(m); asked != nil && !isOddID(asked) {
					v.Saw()
					v.Fail(lint.Finding{Message: misnamed(asked, m), Evidence: besides(asked, m), Revision: t.Revision})
				}
			}
		}
	},
}

// misnamed says how the id of a response differs from that of its request.
func misnamed(asked, m *lint.Message) string {
	switch {
	case unnamed(m.ID):
		return "a response to a request has no id"
	case alike(asked.ID, m.ID):
		return "a response has the id of its request in another form"
	}
	return "a response has another id than its request"
}

// besides shows a response beside the request it should have answered.
func besides(asked, m *lint.Message) lint.Evidence {
	e := m.Evidence()
	e.Sent = string(asked.Raw)
	return e
}
