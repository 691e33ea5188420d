package streamable

import (
	"fmt"

	"mcpworks/lint"
)

var eventIdUnique = lint.Rule{
	ID: "HTTP-032", Slug: "event-id-unique",
	Title:    "event ids are unique within a session",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: withSessions, Transports: lint.Streamable, Level: lint.Passive,
	Rests: []lint.Clause{
		legacy("resumability-and-redelivery", "An event id is unique among all streams of a session, or of a client if there are no sessions."),
	},
	What: "Collects the ids of the events on all streams of a session, those left out that repeat events after Last-Event-ID. No id may occur twice.",
	Why:  "After a broken connection the client names the last id that it has seen. If two events have it, the server goes on in the wrong place: messages are lost or come twice.",
	Bad: `first stream:  id: 1
second stream: id: 1`,
	Good: `first stream:  id: a4f1-1
second stream: id: 77c0-1`,
	Fix: "Put the name of the stream into the id, or count over all streams of the session.",
	Check: func(v *lint.View) {
		ids := 0
		known := map[string]bool{}
		for _, s := range streams(v) {
			if s.resumed() {
				continue
			}
			for _, e := range s.events {
				if !e.hasID || e.id == "" {
					continue
				}
				ids++
				v.Saw()
				key := fmt.Sprintf("%p %s", s.talk(), e.id)
				if known[key] {
					v.Failf(s.step, lint.Subject{}, "an event id occurs twice in a session")
				}
				known[key] = true
			}
		}
		if ids == 0 {
			v.NotApplicable("the server's events have no ids")
		}
	},
}
