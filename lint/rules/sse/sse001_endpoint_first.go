package sse

import "mcpworks/lint"

var endpointFirst = lint.Rule{
	ID: "SSE-001", Slug: "endpoint-first",
	Title:    "the first event of the stream is endpoint",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.Legacy, Transports: lint.SSE, Level: lint.Passive,
	Rests: rests("When a client connects, the server sends an endpoint event first; it says where the client posts its messages."),
	What:  "Opens the stream with GET and looks at the type of its first event.",
	Why:   "Until it knows the endpoint a client cannot say a word. Some take the first event for it, whatever it is, and others drop what comes before.",
	Bad:   "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}",
	Good:  "event: endpoint\ndata: /messages?session=8f14e45f",
	Fix:   "Write the endpoint event as soon as the stream is open, before anything else.",
	Check: func(v *lint.View) {
		for _, s := range streams(v) {
			if len(s.events) == 0 {
				continue // SSE-010 says so
			}
			v.Saw()
			if kind := s.events[0].Type; kind != "endpoint" {
				v.Failf(s.step, lint.Subject{}, "the first event of the stream is of the type %s, not endpoint", shown(kind))
			}
		}
	},
}

// shown is the type of an event as it may stand in a message.
func shown(kind string) string {
	for _, known := range []string{"message", "error", "ping"} {
		if kind == known {
			return kind
		}
	}
	return "something else"
}
