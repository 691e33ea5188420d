package utilities

import "mcpworks/lint"

var progressEnds = lint.Rule{
	ID: "UTIL-008", Slug: "progress-ends",
	Title:    "no progress is reported after the answer",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Call,
	Rests: progressRests("Progress notifications end when the request has been answered."),
	What:  "Calls read-only tools with a progress token, and looks at the order: every notification for the token comes before the answer to the call. Where the two came on different streams there is no order, and none is judged.",
	Why:   "A client forgets the token when the answer is there. What comes after is an unknown token, which some treat as a fault of the connection.",
	Bad:   `{"id":3,"result":{…}}, then {"method":"notifications/progress","params":{"progressToken":"a","progress":5}}`,
	Good:  `{"method":"notifications/progress","params":{"progressToken":"a","progress":5}}, then {"id":3,"result":{…}}`,
	Fix:   "Await the last notification before returning the result, and drop those that come later.",
	Check: func(v *lint.View) {
		for _, r := range reports(v) {
			if r.request == nil || r.request.Answer == nil || r.request.Answer.HTTP != r.HTTP {
				continue
			}
			v.Saw()
			if follows(r.Message, r.request.Answer) {
				v.Failf(r, tool(r.request), "progress is reported after the answer")
			}
		}
		noneReported(v)
	},
}

// follows says whether a message came later than another one of its talk: by
// the clock, or if that says nothing by their order.
func follows(m, other *lint.Message) bool {
	if m.At != other.At {
		return m.At > other.At
	}
	for _, each := range m.Talk().Messages() {
		switch each {
		case other:
			return true
		case m:
			return false
		}
	}
	return false
}
