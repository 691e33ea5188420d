package streamable

import (
	"net/http"

	"mcpworks/lint"
)

var noBroadcast = lint.Rule{
	ID: "HTTP-030", Slug: "no-broadcast",
	Title:    "a message is sent on one stream only",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: withSessions, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		legacy("multiple-connections", "Each message is sent on one of the connected streams, and not on several."),
	},
	What: "Opens two streams with GET, where the server offers that, and sends requests meanwhile. No request or notification of the server may appear on more than one stream of a session. For notifications with the same text this is likely and not certain.",
	Why:  "The client handles what it receives. A message that arrives twice is handled twice: a question to the user is asked again, a change is loaded again.",
	Bad: `stream 1: data: {"jsonrpc":"2.0","id":7,"method":"roots/list"}
stream 2: data: {"jsonrpc":"2.0","id":7,"method":"roots/list"}`,
	Good: `stream 1: data: {"jsonrpc":"2.0","id":7,"method":"roots/list"}
stream 2: (nothing)`,
	Fix: "Choose one open stream for each message: the one of the request that it belongs to, and otherwise one that was opened with GET.",
	Check: func(v *lint.View) {
		open := false
		for _, t := range v.Talks() {
			if len(listening(t)) == 0 {
				continue
			}
			open = true
			first := map[string]*lint.Message{}
			for _, m := range t.Messages() {
				if !m.FromServer || m.HTTP == nil {
					continue
				}
				v.Saw()
				if m.Event == "" || m.Kind != lint.Request && m.Kind != lint.Notification || m.HTTP.Header.Get("Last-Event-ID") != "" {
					continue
				}
				before := first[string(m.Raw)]
				if before == nil {
					first[string(m.Raw)] = m
				} else if before.HTTP != m.HTTP && (m.Kind == lint.Request || onGet(before) || onGet(m)) {
					v.Fail(lint.Finding{
						Subject: lint.Subject{Kind: "method", Name: m.MethodName()}, Message: "the same message is sent on more than one stream",
						Evidence: m.Evidence(), Revision: t.Revision, Likely: m.Kind == lint.Notification,
					})
				}
			}
		}
		if !open {
			v.NotApplicable("the server offers no stream by GET")
		}
	},
}

// onGet says whether a message came on a stream that was opened with GET.
func onGet(m *lint.Message) bool { return m.HTTP.Method == http.MethodGet }
