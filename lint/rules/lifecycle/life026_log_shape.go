package lifecycle

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/mcp"
)

var logShape = lint.Rule{
	ID: "LIFE-026", Slug: "log-shape",
	Title:    "a log message has one of the eight levels, data, and a logger that is a string if it has one",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Passive,
	Rests: []lint.Clause{{Revisions: lint.All, Page: "server/utilities/logging#log-levels", Demand: "The levels are those of RFC 5424; a message has a level, data of any JSON type, and may name its logger."}},
	What:  "Looks at the params of every notifications/message: level has to be debug, info, notice, warning, error, critical, alert or emergency; data has to be there; logger may be left out but must be a string.",
	Why:   "Clients sort by level and show the data. They drop a message that they cannot read, which is most likely the one about the problem.",
	Bad:   `{"method":"notifications/message","params":{"level":"warn","message":"disk is full"}}`,
	Good:  `{"method":"notifications/message","params":{"level":"warning","logger":"disk","data":"disk is full"}}`,
	Fix:   "Translate the levels of the logging library (warn to warning, fatal to critical), and put the text into data.",
	Check: func(v *lint.View) {
		for _, m := range v.Received() {
			if isLog(m) {
				v.Saw()
				checkLog(v, m)
			}
		}
		for _, t := range v.Talks() {
			if t.Declares("logging") {
				return // so that it stays unverified if no message came
			}
		}
		v.NotApplicable("the server sends no log messages")
	},
}

func checkLog(v *lint.View, m *lint.Message) {
	switch level, ok := lint.Text(lint.Member(m.Params, "level")); {
	case !ok:
		v.Failf(m, lint.Subject{Kind: "member", Name: "level"}, "of a log message is missing or no string")
	default:
		if _, known := mcp.ParseLevel(level); !known {
			v.Failf(m, lint.Subject{Kind: "member", Name: "level"}, "of a log message is %q, which is none of the eight levels", brief(level))
		}
	}
	if lint.Member(m.Params, "data") == nil {
		v.Failf(m, lint.Subject{Kind: "member", Name: "data"}, "of a log message is missing")
	}
	if kind := rawjson.KindOf(lint.Member(m.Params, "logger")); kind != rawjson.Invalid && kind != rawjson.StringKind {
		v.Failf(m, lint.Subject{Kind: "member", Name: "logger"}, "of a log message is of type %v, not string", kind)
	}
}
