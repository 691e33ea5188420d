package paging

import (
	"slices"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var stableCursor = lint.Rule{
	ID: "PAGE-005", Slug: "stable-cursor",
	Title:    "the same cursor gives the same page twice",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: lint.All, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.All, Page: "server/utilities/pagination#implementation-guidelines", Demand: "Servers give out cursors that stay valid."}},
	What:  "Asks for the first page of a list that has several, and then twice for the next one with the same cursor. Both answers have the same elements in the same order.",
	Why:   "A client that lost an answer asks for the same page again. If the cursor has been used up, or has moved on, part of the list is missing.",
	Bad:   `cursor "p2" gives c, d; cursor "p2" again gives e, f`,
	Good:  `cursor "p2" gives c, d; cursor "p2" again gives c, d`,
	Fix:   "Put the position into the cursor, and keep none on the server's side.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks(step.Probing) {
			for _, method := range methods {
				next := pages(t, step.ListNext, method)
				again := t.Step(step.ListNextAgain, method)
				if len(next) == 0 || again == nil || changed(t, method) {
					continue
				}
				switch answer := again.Answer(); {
				case answer == nil:
					v.NotVerified("the second request for a page was not answered (RPC-012)")
				case answer.IsError():
					v.Failf(answer, subject(method), "a cursor is refused the second time")
				case !slices.Equal(next[0].names(), page{answer, method}.names()):
					v.Failf(answer, subject(method), "a cursor gives another page the second time")
				default:
					v.Saw()
				}
			}
		}
		if len(v.Steps(step.ListNext)) == 0 && len(v.Talks(step.Probing)) > 0 {
			onePage(v)
		}
	},
}
