package paging

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var emptyPage = lint.Rule{
	ID: "PAGE-006", Slug: "empty-page",
	Title:    "no page is empty while others follow it",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Passive,
	What: "Looks at all pages that have a nextCursor: each has at least one element.",
	Why:  "An empty page costs a round trip and says nothing. Some clients take it for the end, and never see the rest.",
	Bad:  `{"tools":[],"nextCursor":"p2"}`,
	Good: `{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":"p2"}`,
	Fix:  "Fill each page before cutting it, above all when elements are left out by a filter.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks(step.Main) {
			for _, method := range methods {
				for _, p := range pages(t, step.List, method) {
					if _, more := p.next(); !more {
						continue
					}
					v.Saw()
					if len(p.names()) == 0 {
						v.Failf(p.answer, subject(method), "a page is empty although others follow it")
					}
				}
			}
		}
		onePage(v)
	},
}
