package streamable

import (
	"time"

	"mcpworks/lint"
)

var streamEnds = lint.Rule{
	ID: "HTTP-029", Slug: "stream-ends",
	Title:    "an event stream ends after the response",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: anyRevision, Transports: lint.Streamable, Level: lint.Passive,
	Rests: []lint.Clause{
		legacy("sending-messages-to-the-server", "After the response has been sent the server ends the stream."),
		modern("receiving-messages", "The response ends the stream."),
	},
	What: "Measures, for every event stream that answers a request, how long the server keeps it open after the response. It has to end within two seconds.",
	Why:  "Each stream that stays open holds a connection. Browsers allow six of them to a server, proxies have their own limits, and when they are used up every further request hangs.",
	Bad: `data: {"jsonrpc":"2.0","id":2,"result":{}}
(the connection stays open)`,
	Good: `data: {"jsonrpc":"2.0","id":2,"result":{}}
(the connection ends)`,
	Fix: "End the HTTP response right after the event with the JSON-RPC response.",
	Check: func(v *lint.View) {
		for _, s := range answering(v) {
			end := max(s.x.End, s.x.Left)
			if s.x.Answered == 0 || end == 0 {
				continue
			}
			late := end-s.x.Answered >= patience
			if s.x.End == 0 && !late {
				continue // it was left too early to know
			}
			v.Saw()
			if late {
				v.Failf(s.step, lint.Subject{Kind: "method", Name: s.asked.MethodName()}, "an event stream is still open two seconds after the response")
			}
		}
	},
}

// patience is a little less than two seconds, because clocks are read late.
const patience = 1900 * time.Millisecond
