package streamable

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var resume = lint.Rule{
	ID: "HTTP-035", Slug: "resume",
	Title:    "a stream is resumed with its own later events",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: withSessions, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		legacy("resumability-and-redelivery", "After Last-Event-ID the server may replay what follows on the same stream, and must not replay what belongs to another."),
	},
	What: "Where events have ids: makes two requests, and then sends GET with the id of the first event of the first stream as Last-Event-ID. What comes must not be an event that was before it, or one of another stream.",
	Why:  "Messages of another stream would be handled a second time, or by the wrong party. This is also how the answers of one request get into another.",
	Bad: `GET, Last-Event-ID: a-1
→ id: b-2
  data: {"jsonrpc":"2.0","id":9,"result":{}}`,
	Good: `GET, Last-Event-ID: a-1
→ id: a-2
  data: {"jsonrpc":"2.0","id":8,"result":{}}`,
	Fix: "Keep the events of each stream apart in the event store, and replay only those of the stream that the id belongs to.",
	Check: func(v *lint.View) {
		for _, s := range judged(v, step.HTTPResume) {
			x := response(s)
			if !isSuccess(x.Status) || x.Type() != "text/event-stream" {
				v.NotApplicable("the server does not resume streams")
				continue
			}
			v.Saw()
			if flaw := replayFlaw(s, x, streams(v)); flaw != "" {
				v.Failf(s, lint.Subject{}, "%s", flaw)
			}
		}
		if len(v.Steps(step.HTTPResume)) == 0 {
			v.NotApplicable("the server's events have no ids")
		}
	},
}
