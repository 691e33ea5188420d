package rpc

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var serverIDReuse = lint.Rule{
	ID: "RPC-024", Slug: "server-id-reuse",
	Title:    "requests of the server have ids that are not null and not used twice",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.Legacy, Level: lint.Passive,
	Rests: onMessages(lint.Legacy, "requests", "The id of a request is not null, and its sender has not used it before in the session."),
	What:  "Looks at every request that the server sends, such as ping, roots/list or sampling/createMessage: its id must not be null, nor that of an earlier request in the same session. A message that a resumed stream repeats does not count.",
	Why:   "The client answers under that id. If it is used twice, the server cannot tell which request was answered.",
	Bad:   "← {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\"}\n← {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
	Good:  "← {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\"}\n← {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}",
	Fix:   "Count the requests of a session up from 1 and use the count as the id.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks() {
			used := map[string]bool{}
			for _, m := range t.Messages() {
				if !m.FromServer || m.Kind != lint.Request || !claimed(m) || replayed(m) {
					continue
				}
				v.Saw()
				switch key := idKey(m.ID); {
				case rawjson.KindOf(m.ID) == rawjson.Null:
					v.Failf(m, ofMethod(m), "a request of the server has null as its id")
				case used[key]:
					v.Failf(m, ofMethod(m), "a request of the server has an id that was used before")
				default:
					used[key] = true
				}
			}
		}
		v.NotApplicable("the server sends no requests")
	},
}
