package utilities

import "mcpworks/lint"

var cancelQuiet = lint.Rule{
	ID: "UTIL-009", Slug: "cancel-quiet",
	Title:    "a cancelled request is not answered",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: lint.All, Transports: lint.Stdio, Level: lint.Call,
	Rests: cancellationRests(
		"Whoever receives a cancellation stops, frees what the request used, and sends no response.",
		"After a cancellation nothing more is sent for the request."),
	What: "Calls a read-only tool that takes longer than a second, sends notifications/cancelled for the call while it runs, and waits for as long as the call would have taken. No response to it arrives.",
	Why:  "The client has forgotten the request. The response is one to an unknown id, and the work behind it was for nothing.",
	Bad:  `{"method":"notifications/cancelled","params":{"requestId":3}}, then {"id":3,"result":{…}}`,
	Good: `{"method":"notifications/cancelled","params":{"requestId":3}}, then nothing`,
	Fix:  "Pass the cancellation on to the tool, and drop the response when it has returned.",
	Check: func(v *lint.View) {
		for _, c := range cancellations(v) {
			v.Saw()
			if c.call.Answer != nil {
				v.Failf(c.call, tool(c.call), "a cancelled call is answered")
			}
		}
	},
}
