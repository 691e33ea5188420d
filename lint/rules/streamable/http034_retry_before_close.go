package streamable

import (
	"slices"

	"mcpworks/lint"
)

var retryBeforeClose = lint.Rule{
	ID: "HTTP-034", Slug: "retry-before-close",
	Title:    "a stream that is closed before the response says when to come back",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: lint.D, Transports: lint.Streamable, Level: lint.Passive,
	Rests: []lint.Clause{
		{Revisions: lint.D, Page: "basic/transports#sending-messages-to-the-server", Demand: "Before the server closes the connection of a stream that has not ended, it sends an event with retry."},
	},
	What: "Looks at event streams that the server closes before the response: one of their events has to have a retry field.",
	Why:  "Without it the client guesses when to come back. It may come too often, or long after the answer is there.",
	Bad: `id: 1
data:

(the connection ends)`,
	Good: `id: 1
retry: 2000
data:

(the connection ends)`,
	Fix: "Send a retry field, in milliseconds, before closing a stream that goes on later.",
	Check: func(v *lint.View) {
		closed := early(v)
		for _, s := range closed {
			v.Saw()
			if !slices.ContainsFunc(s.events, func(e event) bool { return e.hasRetry }) {
				v.Failf(s.step, lint.Subject{Kind: "method", Name: s.asked.MethodName()}, "a stream is closed before its response without a retry field")
			}
		}
		if len(closed) == 0 {
			v.NotApplicable("no stream was closed before its response")
		}
	},
}
