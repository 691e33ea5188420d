package utilities

import (
	"strconv"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var progressGrows = lint.Rule{
	ID: "UTIL-007", Slug: "progress-grows",
	Title:    "progress increases with every report",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Call,
	Rests: progressRests("Each report is further along than the one before it, whether or not the end is known."),
	What:  "Calls read-only tools with a progress token, and compares the progress of all notifications for one token: each is greater than the one before.",
	Why:   "People watch a bar. One that stands still or goes back looks like a fault, and clients that wait for as long as there is progress give up.",
	Bad:   `{"progressToken":"a","progress":1}, {"progressToken":"a","progress":1}`,
	Good:  `{"progressToken":"a","progress":1}, {"progressToken":"a","progress":2}`,
	Fix:   "Count finished work, and send a notification only when the count has grown.",
	Check: func(v *lint.View) {
		last := map[*lint.Message]float64{}
		for _, r := range reports(v) {
			raw := lint.Member(r.Params, "progress")
			value, err := strconv.ParseFloat(string(raw), 64)
			if r.request == nil || err != nil || rawjson.KindOf(raw) != rawjson.Number {
				continue // UTIL-006, RPC-028
			}
			if before, known := last[r.request]; known {
				v.Saw()
				if value <= before {
					v.Failf(r, tool(r.request), "progress does not increase")
				}
			}
			last[r.request] = value
		}
		noneReported(v)
	},
}
