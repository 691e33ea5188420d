package utilities

import "mcpworks/lint"

var progressToken = lint.Rule{
	ID: "UTIL-006", Slug: "progress-token",
	Title:    "progress is only reported for tokens that the client gave",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Call,
	Rests: progressRests("Progress notifications refer to a token that was given with a request."),
	What:  "Calls read-only tools with a progress token, once a string and once a number. Every notifications/progress has one of the tokens that were sent, of the same JSON type.",
	Why:   "Clients look the token up to find the request. With a token that they never gave, or a number for a string, the progress goes nowhere and long calls time out.",
	Bad:   `called with "progressToken":"7", reported with {"progressToken":7,"progress":1}`,
	Good:  `called with "progressToken":"7", reported with {"progressToken":"7","progress":1}`,
	Fix:   "Send the token back as it came, and report no progress for requests without one.",
	Check: func(v *lint.View) {
		for _, r := range reports(v) {
			v.Saw()
			switch {
			case r.request != nil:
			case r.token == nil:
				v.Failf(r, lint.Subject{}, "progress is reported without a token")
			case r.twin != nil:
				v.Failf(r, tool(r.twin), "progress is reported with a token of another JSON type than was given")
			default:
				v.Failf(r, lint.Subject{}, "progress is reported for a token that was not given")
			}
		}
		noneReported(v)
	},
}
