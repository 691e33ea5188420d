package lifecycle

import (
	"mcpworks/lint"
	"mcpworks/mcp"
)

var logDeclared = lint.Rule{
	ID: "LIFE-025", Slug: "log-declared",
	Title:    "log messages are only sent if logging is declared",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Passive,
	Rests: []lint.Clause{{Revisions: lint.All, Page: "server/utilities/logging#capabilities", Demand: "A server that sends log messages declares the capability logging."}},
	What:  "Looks at all notifications of the server. If one is notifications/message, the capability logging has to be declared.",
	Why:   "Without the capability the client cannot set a level, and need not have a place for the messages: they are lost, or fill a log that nobody can turn down.",
	Bad: `"capabilities":{"tools":{}}
← {"method":"notifications/message","params":{"level":"info","data":"ready"}}`,
	Good: `"capabilities":{"tools":{},"logging":{}}
← {"method":"notifications/message","params":{"level":"info","data":"ready"}}`,
	Fix: "Declare logging, or write to standard error instead.",
	Check: func(v *lint.View) {
		for _, m := range described(v) {
			v.Saw()
			if isLog(m) && !m.Talk().Declares("logging") {
				v.Failf(m, lint.Subject{}, "log messages are sent, although logging is not declared")
			}
		}
	},
}

func isLog(m *lint.Message) bool {
	return m.FromServer && m.Kind == lint.Notification && m.MethodName() == mcp.NotifyMessage
}
