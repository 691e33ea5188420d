package paging

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var terminates = lint.Rule{
	ID: "PAGE-002", Slug: "terminates",
	Title:    "every list comes to an end",
	Severity: lint.Error, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Passive,
	What: "Follows nextCursor through each list. No cursor comes twice, and there are at most 1,000 pages.",
	Why:  "Clients follow the cursors before they show anything. A list without an end keeps them at it until they give up or run out of memory.",
	Bad:  `asked with cursor "p2", the answer is {"tools":[…],"nextCursor":"p2"}`,
	Good: `asked with cursor "p2", the answer is {"tools":[…],"nextCursor":"p3"} or {"tools":[…]}`,
	Fix:  "Move the position behind the last element of the page before making the cursor, and leave nextCursor out when nothing follows.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks(step.Main) {
			for _, method := range methods {
				if all := pages(t, step.List, method); len(all) > 0 {
					checkEnd(v, all)
				}
			}
		}
	},
}

// maxPages is as many as a list may have.
const maxPages = 1000

func checkEnd(v *lint.View, all []page) {
	known := map[string]bool{}
	for i, p := range all {
		cursor, more := p.next()
		switch {
		case !more:
			v.Saw()
			return
		case known[cursor]:
			v.Failf(p.answer, subject(p.method), "a cursor comes again, so that the list has no end")
			return
		case i+1 == maxPages:
			v.Failf(p.answer, subject(p.method), "the list goes on after %d pages", maxPages)
			return
		}
		known[cursor] = true
	}
	v.NotVerified("a list was not read to its end")
}
