package streamable

import (
	"net/http"
	"time"

	"mcpworks/lint"
)

var noBroadcast = lint.Rule{
	ID: "HTTP-030", Slug: "no-broadcast",
	Title:    "a message is sent on one stream only",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: withSessions, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		legacy("multiple-connections", "No message goes out on two streams of the same client."),
	},
	What: "Opens two streams with GET, where the server offers that, and sends requests meanwhile. No request or notification of the server may appear on more than one stream of a session. Notifications have no id: those with the same text within a tenth of a second are taken for one, which is likely and not certain.",
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
				if before == nil || m.Kind == lint.Notification && m.At-before.At > atOnce {
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

// atOnce is how far apart the copies of one notification can be. What comes later
// is another one that says the same.
const atOnce = 100 * time.Millisecond

// onGet says whether a message came on a stream that was opened with GET.
func onGet(m *lint.Message) bool { return m.HTTP.Method == http.MethodGet }
