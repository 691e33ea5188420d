package utilities

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

var levelRespected = lint.Rule{
	ID: "UTIL-003", Slug: "level-respected",
	Title:    "no log messages come below the level that was set",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: lint.Legacy, Level: lint.Probe, Needs: "logging",
	Rests: []lint.Clause{{Revisions: lint.Legacy, Page: "server/utilities/logging#message-flow", Demand: "After a level was set, only messages of that weight and above are sent."}},
	What:  "Sets the level emergency and asks for a list. From the answer to the first on, no notifications/message of another level arrives.",
	Why:   "People set a level to be left alone. Messages that come all the same fill the client's log, and the context of a model if the client shows it.",
	Bad:   `setLevel emergency, then {"method":"notifications/message","params":{"level":"debug","data":"listing"}}`,
	Good:  `setLevel emergency, then only {"method":"notifications/message","params":{"level":"emergency","data":"disk is full"}}`,
	Fix:   "Keep the level per session, and compare each message with it before it is sent.",
	Check: func(v *lint.View) {
		for _, answer := range v.Answers(step.SetQuiet) {
			if answer.IsError() {
				v.NotVerified("the level emergency cannot be set (UTIL-001)")
				continue
			}
			provoked := answer.Talk().Step(step.Provoke, "")
			if provoked == nil || provoked.Answer() == nil {
				v.NotVerified("nothing was asked after the level was set")
				continue
			}
			v.Saw()
			quiet := answer
			if answer.HTTP != nil { // what was sent before may come later on another stream
				quiet = provoked.Asked()
			}
			for _, m := range answer.Talk().Messages() {
				if level, isLog := logLevel(m); isLog && level < mcp.LevelEmergency && follows(m, quiet) {
					v.Failf(m, lint.Subject{}, "messages below the level that was set are sent")
				}
			}
		}
	},
}

// logLevel is the level of a log message; isLog is false for all that is none,
// or has a level that does not exist.
func logLevel(m *lint.Message) (level mcp.Level, isLog bool) {
	if !m.FromServer || m.Kind != lint.Notification || m.MethodName() != mcp.NotifyMessage {
		return 0, false
	}
	name, _ := lint.Text(lint.Member(m.Params, "level"))
	return mcp.ParseLevel(name)
}
