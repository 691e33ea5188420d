package streamable

import "mcpworks/lint"

var streamHasResponse = lint.Rule{
	ID: "HTTP-028", Slug: "stream-has-response",
	Title:    "an event stream that answers a request contains the response",
	Severity: lint.Error, Strength: lint.Should,
	Revisions: anyRevision, Transports: lint.Streamable, Level: lint.Passive,
	Rests: []lint.Clause{
		legacy("sending-messages-to-the-server", "The stream for a request eventually has its response, and is not closed before unless it can be resumed."),
		modern("receiving-messages", "The stream for a request ends with its response."),
	},
	What: "Looks at every event stream that answers a request and was ended by the server: the response has to be in it. A stream with event ids may end early in legacy revisions, because the client can come back for the rest; subscriptions and cancelled requests are left out.",
	Why:  "The client waits for an answer that can no longer come. Depending on its patience the user sees a time-out, or nothing at all.",
	Bad: `POST tools/list
→ Content-Type: text/event-stream
  : nothing follows, and the stream ends`,
	Good: `POST tools/list
→ Content-Type: text/event-stream
  data: {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}`,
	Fix: "Write the response, or a JSON-RPC error if something went wrong, before the stream is closed.",
	Check: func(v *lint.View) {
		for _, s := range answering(v) {
			if !s.whole() {
				continue
			}
			v.Saw()
			resumable := s.hasIDs() && !s.talk().Modern
			if !s.answered() && !resumable {
				v.Failf(s.step, lint.Subject{Kind: "method", Name: s.asked.MethodName()}, "an event stream ends without the response to its request")
			}
		}
	},
}
