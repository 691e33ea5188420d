package sse

import (
	"net/http"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var postStatus = lint.Rule{
	ID: "SSE-005", Slug: "post-status",
	Title:    "a message that is accepted gets status 202",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.Legacy, Transports: lint.SSE, Level: lint.Passive,
	Rests: []lint.Clause{{Page: "RFC 9110 15.3.3", Demand: "202 says that a request was accepted, and that it is handled later."}},
	What:  "Looks at the status of the response to every message that is posted in a talk as it should be. Another status than 2xx is a warning; 2xx other than 202 is only noted.",
	Why:   "A client takes any other status for a failure, although the answer may come on the stream, and reports an error or sends the message again.",
	Bad:   "POST /messages?session=8f14e45f → 500",
	Good:  "POST /messages?session=8f14e45f → 202",
	Fix:   "Answer 202 without a body as soon as the message is read, and send the result on the stream.",
	Check: func(v *lint.View) {
		for _, t := range talks(v) {
			if t.Phase != step.Main {
				continue
			}
			for _, s := range t.Steps {
				for _, x := range s.Exchanges() {
					if x.Method == http.MethodPost && x.Status != 0 {
						judgeStatus(v, s, x.Status)
					}
				}
			}
		}
	},
}

func judgeStatus(v *lint.View, s *lint.Step, status int) {
	v.Saw()
	switch {
	case status/100 != 2:
		v.Failf(s, lint.Subject{}, "a message as it should be is answered with HTTP status %d", status)
	case status != http.StatusAccepted:
		v.FailAs(lint.Info, s, lint.Subject{}, "a message is accepted with HTTP status %d, not 202", status)
	}
}
