package lifecycle

import (
	"mcpworks/lint"
	"mcpworks/mcp"
)

var quietBeforeResponse = lint.Rule{
	ID: "LIFE-014", Slug: "quiet-before-response",
	Title:    "before the answer to initialize the server sends nothing but pings",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: lint.Legacy, Level: lint.Passive,
	Rests: []lint.Clause{{Revisions: lint.Legacy, Page: "basic/lifecycle#initialization", Demand: "Before the handshake is complete a server should send pings and log messages at most."}},
	What:  "Looks at all messages of the server from the start of a connection to its answer to initialize. Pings are fine, log messages are an info, everything else is a warning.",
	Why:   "At this point the client knows neither the version nor the capabilities, and many take the first message for the answer. Log messages are allowed, but the client cannot have asked for them, and some stumble over them.",
	Bad: `→ {"id":1,"method":"initialize",…}
← {"method":"notifications/tools/list_changed"}
← {"id":1,"result":{…}}`,
	Good: `→ {"id":1,"method":"initialize",…}
← {"id":1,"result":{…}}`,
	Fix: "Send the answer to initialize first. Write what happens at start-up to standard error.",
	Check: func(v *lint.View) {
		for _, p := range preludes(v) {
			v.Saw()
			for _, m := range p.beforeAnswer {
				subject := lint.Subject{Kind: "method", Name: m.MethodName()}
				switch m.MethodName() {
				case mcp.MethodPing:
				case mcp.NotifyMessage:
					v.FailAs(lint.Info, m, subject, "is sent before initialize is answered")
				default:
					v.Failf(m, subject, "is sent before initialize is answered")
				}
			}
		}
	},
}
