package modern

import (
	"slices"

	"mcpworks/lint"
	"mcpworks/mcp"
)

var listenFilter = lint.Rule{
	ID: "MOD-025", Slug: "listen-filter",
	Title:    "a subscription brings only what was asked for",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic/patterns/subscriptions#opening-a-stream", Demand: "A server sends no kind of notification that the client did not ask for, and acknowledges only a part of what it asked for."}},
	What:  "Opens a subscription for one kind of notification, and one for all of them. What is acknowledged and what is sent has to be among what was asked for; progress and log messages never belong there.",
	Why:   "Clients subscribe to what they can handle. Other messages wake them up for nothing, or are taken for errors.",
	Bad:   `asked for {"toolsListChanged":true}, acknowledged {"toolsListChanged":true,"promptsListChanged":true}`,
	Good:  `asked for {"toolsListChanged":true}, acknowledged {"toolsListChanged":true}`,
	Fix:   "Keep the filter of each subscription, and answer with the part of it that the server can serve.",
	Check: func(v *lint.View) {
		messages := 0
		for _, sub := range subscriptions(v) {
			for _, m := range sub.stream {
				messages++
				v.Saw()
				if m.MethodName() == mcp.NotifyAcknowledged {
					judgeGranted(v, m, sub.filter)
				} else if !sub.asked(m) {
					v.Failf(m, about(m.MethodName()), "the notification is sent on a subscription that did not ask for it")
				}
			}
		}
		if messages == 0 {
			notOpened(v)
		}
	},
}

// asked says whether a notification is of a kind, and about a resource, that was
// asked for. The end of the subscription always is.
func (sub *subscription) asked(m *lint.Message) bool {
	kind := kindOf(m)
	if kind != "resourceSubscriptions" {
		return m.MethodName() == mcp.NotifyCancelled || kind != "" && grants(sub.filter, kind)
	}
	uris, _ := texts(lint.Member(sub.filter, kind))
	uri, _ := lint.Text(lint.Member(m.Params, "uri"))
	return slices.Contains(uris, uri)
}

func judgeGranted(v *lint.View, ack *lint.Message, filter []byte) {
	granted := lint.Member(ack.Params, "notifications")
	for _, kind := range kinds {
		if !grants(granted, kind.member) {
			continue
		}
		if !grants(filter, kind.member) {
			v.Failf(ack, lint.Subject{Kind: "notification", Name: kind.member}, "is acknowledged, and was not asked for")
			continue
		}
		uris, _ := texts(lint.Member(granted, kind.member))
		wanted, _ := texts(lint.Member(filter, kind.member))
		if slices.ContainsFunc(uris, func(uri string) bool { return !slices.Contains(wanted, uri) }) {
			v.Failf(ack, lint.Subject{Kind: "notification", Name: kind.member}, "resources are acknowledged that were not asked for")
		}
	}
}
