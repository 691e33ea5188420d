package utilities

import (
	"time"

	"mcpworks/lint"
)

var cancelProgress = lint.Rule{
	ID: "UTIL-010", Slug: "cancel-progress",
	Title:    "no progress is reported for a cancelled request",
	Severity: lint.Warning, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Call,
	Rests: cancellationRests(
		"Whoever receives a cancellation stops working on the request; progress is only for requests that are being worked on.",
		"After a cancellation nothing more is sent for the request."),
	What: "Calls a read-only tool that takes longer than a second with a progress token, and sends notifications/cancelled for the call while it runs. A quarter of a second later, no more notifications/progress for the token arrives.",
	Why:  "It shows that the tool works on although nobody wants its result. The work costs time and money, and the notifications are for a token that the client has forgotten.",
	Bad:  `{"method":"notifications/cancelled","params":{"requestId":3}}, then {"method":"notifications/progress","params":{"progressToken":"a","progress":4}}`,
	Good: `{"method":"notifications/cancelled","params":{"requestId":3}}, then nothing`,
	Fix:  "Pass the cancellation on to the tool, and let its loop end when it is cancelled.",
	Check: func(v *lint.View) {
		for _, c := range cancellations(v) {
			v.Saw()
			for _, r := range reports(v) {
				if r.request == c.call && r.At > c.notice.At+crossing {
					v.Failf(r, tool(c.call), "progress is reported after the cancellation")
				}
			}
		}
	},
}

// crossing is how long after a cancellation something may arrive that was sent
// before it.
const crossing = 250 * time.Millisecond
