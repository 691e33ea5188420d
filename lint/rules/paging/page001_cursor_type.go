package paging

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var cursorType = lint.Rule{
	ID: "PAGE-001", Slug: "cursor-type",
	Title:    "nextCursor is a string, or is left out",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Passive,
	Rests: []lint.Clause{{Revisions: lint.All, Page: "server/utilities/pagination#response-format", Demand: "The cursor of the next page is an opaque string; without it there is no next page."}},
	What:  "Looks at nextCursor in the results of all four lists. It is absent or a string; null, numbers and objects are none.",
	Why:   "Clients take any nextCursor as a sign that there is more and send it back. With null or a number some ask for ever, and typed clients refuse the page.",
	Bad:   `{"tools":[],"nextCursor":null}`,
	Good:  `{"tools":[]}`,
	Fix:   "Leave nextCursor out on the last page, and make it a string on all others.",
	Check: func(v *lint.View) {
		for _, m := range v.Received() {
			if _, isList := lists[m.MethodName()]; !isList || !m.HasResult() {
				continue
			}
			v.Saw()
			if cursor := lint.Member(m.Result, "nextCursor"); cursor != nil && rawjson.KindOf(cursor) != rawjson.StringKind {
				v.Failf(m, subject(m.MethodName()), "nextCursor is %v, not a string", rawjson.KindOf(cursor))
			}
		}
	},
}
