package modern

import (
	"mcpworks/lint"
	"mcpworks/mcp"
)

var logOptIn = lint.Rule{
	ID: "MOD-014", Slug: "log-opt-in",
	Title:    "log messages are sent only for requests that want them",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Passive,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "server/utilities/logging#per-request-log-level", Demand: "A request without a log level in _meta gets no notifications/message."}},
	What:  "Looks for notifications/message. Over HTTP the request whose answer carried it has to have io.modelcontextprotocol/logLevel in _meta; on stdio some request before it has to.",
	Why:   "Clients that did not ask for log messages have no place for them, and pay for every one in time and, where they reach a model, in tokens.",
	Bad:   `a request without logLevel is followed by {"method":"notifications/message","params":{"level":"info","data":"listing tools"}}`,
	Good:  `the same after a request with "_meta":{"io.modelcontextprotocol/logLevel":"info"}`,
	Fix:   "Send log messages only while a request is handled whose _meta has a log level, and write everything else to standard error.",
	Check: func(v *lint.View) {
		for _, m := range results(v) {
			if _, wants := logLevel(m.Asked); !wants {
				v.Saw()
			}
		}
		for _, t := range spoken(v) {
			logged(t, func(m *lint.Message, _ mcp.Level, wanted bool) {
				if !wanted {
					v.Failf(m, lint.Subject{}, "a log message is sent although no request wanted any")
				}
			})
		}
	},
}
