package utilities

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var setLevel = lint.Rule{
	ID: "UTIL-001", Slug: "set-level",
	Title:    "all eight log levels can be set",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.Legacy, Level: lint.Probe, Needs: "logging",
	Rests: []lint.Clause{
		{Revisions: lint.Legacy, Page: "server/utilities/logging#setting-log-level", Demand: "A server that declares logging lets clients choose the least level, which is one of the eight of syslog."},
	},
	What: "Sends logging/setLevel with debug, info, notice, warning, error, critical, alert and emergency. Each is answered with a result. A server that does not know the method at all is reported by LIFE-009.",
	Why:  "Clients offer the eight levels to people. One that fails leaves them with too many messages or with none.",
	Bad:  `{"method":"logging/setLevel","params":{"level":"notice"}} gives {"error":{"code":-32602,"message":"unknown level"}}`,
	Good: `{"method":"logging/setLevel","params":{"level":"notice"}} gives {"result":{}}`,
	Fix:  "Accept all eight levels and map them to those that the server's own logger has.",
	Check: func(v *lint.View) {
		for _, answer := range v.Answers(step.SetLevel) {
			v.Saw()
			if answer.IsError() {
				v.Failf(answer, lint.Subject{Kind: "level", Name: answer.Asked.Step.About}, "setting the level gives error %d", answer.Code())
			}
		}
	},
}
