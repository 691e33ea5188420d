package modern

import (
	"mcpworks/lint"
	"mcpworks/mcp"
)

var logThreshold = lint.Rule{
	ID: "MOD-015", Slug: "log-threshold",
	Title:    "log messages are at or above the level that was asked for",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: lint.E, Level: lint.Probe, Needs: "logging",
	Rests: []lint.Clause{{Revisions: lint.E, Page: "server/utilities/logging#per-request-log-level", Demand: "With a log level in _meta a server may send messages of that level and above for the request."}},
	What:  "Sends a request with the log level emergency and one with debug, and compares the level of every log message with what was asked for. If nothing is logged at debug either, nothing is decided.",
	Why:   "The level is how a client keeps a talkative server quiet. If it is ignored, the messages that matter drown.",
	Bad:   `after a request with logLevel emergency: {"method":"notifications/message","params":{"level":"debug","data":"reading"}}`,
	Good:  `after a request with logLevel debug: {"method":"notifications/message","params":{"level":"debug","data":"reading"}}`,
	Fix:   "Compare the level of every message with the level in _meta of the request that is being handled.",
	Check: func(v *lint.View) {
		messages := 0
		for _, t := range spoken(v) {
			logged(t, func(m *lint.Message, least mcp.Level, wanted bool) {
				name, _ := lint.Text(lint.Member(m.Params, "level"))
				level, known := mcp.ParseLevel(name)
				if !wanted || !known {
					return // other rules say so
				}
				v.Saw()
				messages++
				if level < least {
					v.Failf(m, lint.Subject{Kind: "level", Name: name}, "a log message is below the level that was asked for")
				}
			})
		}
		if messages == 0 && len(spoken(v)) > 0 {
			v.NotVerified("nothing was logged, at debug neither")
		}
	},
}
