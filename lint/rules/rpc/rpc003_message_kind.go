package rpc

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var messageKind = lint.Rule{
	ID: "RPC-003", Slug: "message-kind",
	Title:    "each message is a request, a notification or a response",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Passive,
	Rests: onMessages(lint.All, "messages", "There are three kinds of messages: requests and notifications have a method, responses have a result or an error."),
	What:  "Looks at every message that the server sends. It has to be an object with a method that is a string, or with a result or an error. A response with both or none of them is a matter of RPC-004; on stdio, JSON without the member jsonrpc is one of STD-001.",
	Why:   "A client cannot tell what to do with anything else. Some close the connection over it.",
	Bad:   `{"jsonrpc":"2.0","status":"ready"}`,
	Good:  `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"ready"}}`,
	Fix:   "Send what the protocol has no message for to standard error, or as notifications/message if the server declares logging.",
	Check: func(v *lint.View) {
		for _, m := range messages(v) {
			v.Saw()
			switch _, named := lint.Text(m.Method); {
			case m.Method != nil && !named:
				v.Failf(m, lint.Subject{}, "the method of a message is not a string")
			case m.Kind != lint.Invalid || isResponse(m):
			case rawjson.KindOf(m.Raw) == rawjson.Object:
				v.Failf(m, lint.Subject{}, "an object has none of method, result and error")
			default:
				v.Failf(m, lint.Subject{}, "a message is no object")
			}
		}
	},
}

// isResponse says whether a message means to answer something, right or wrong.
func isResponse(m *lint.Message) bool {
	return m.Kind == lint.Response ||
		m.Kind == lint.Invalid && m.Method == nil && (m.ID != nil || m.Result != nil || m.Error != nil)
}
