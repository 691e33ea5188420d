package sse

import (
	"time"

	"mcpworks/lint"
)

// firstEvent is how long the first event of a stream may take.
const firstEvent = 2 * time.Second

var streamType = lint.Rule{
	ID: "SSE-010", Slug: "stream-type",
	Title:    "the stream is an event stream, and is not held back",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.Legacy, Transports: lint.SSE, Level: lint.Passive,
	Rests: rests("Clients receive the server's messages from an endpoint of server-sent events."),
	What:  "Opens the stream with GET. A response with status 200 has to have the content type text/event-stream, and its first event has to arrive within 2 seconds.",
	Why:   "Browsers and most clients refuse another content type. Events that are held back, mostly by a proxy or by compression, arrive too late or never, and the client gives up.",
	Bad:   "HTTP/1.1 200 OK\nContent-Type: text/plain",
	Good:  "HTTP/1.1 200 OK\nContent-Type: text/event-stream\nCache-Control: no-cache\nX-Accel-Buffering: no",
	Fix:   "Set the content type, flush after every event, and switch off buffering and compression for this path.",
	Check: func(v *lint.View) {
		for _, s := range streams(v) {
			v.Saw()
			switch {
			case s.x.Type() != "text/event-stream":
				v.Failf(s.step, lint.Subject{}, "the stream is not of the content type text/event-stream")
			case len(s.events) == 0:
				v.Failf(s.step, lint.Subject{}, "no event comes on the stream")
			case len(s.x.Times) > 0 && s.x.Times[0] > firstEvent:
				v.Failf(s.step, lint.Subject{}, "the first event of the stream takes longer than %v", firstEvent)
			}
		}
	},
}
