package rpc

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var jsonrpcField = lint.Rule{
	ID: "RPC-001", Slug: "jsonrpc-field",
	Title:    `every message says "jsonrpc":"2.0"`,
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Passive,
	Rests: onMessages(lint.All, "messages", "Messages follow JSON-RPC 2.0, whose every message names that version."),
	What:  `Looks at every message that the server sends, in every talk: the member jsonrpc has to be the string "2.0".`,
	Why:   "Clients tell JSON-RPC 2.0 from its predecessor by this member. Strict ones drop a message without it, and the request it answers hangs until its time is over.",
	Bad:   `{"id":1,"result":{}}`,
	Good:  `{"jsonrpc":"2.0","id":1,"result":{}}`,
	Fix:   `Write "jsonrpc":"2.0" into every request, notification and response; an SDK does that by itself.`,
	Check: func(v *lint.View) {
		for _, m := range messages(v) {
			v.Saw()
			kind := "a " + m.Kind.String()
			if m.Kind == lint.Invalid {
				kind = "an invalid message"
			}
			if version := lint.Member(m.Raw, "jsonrpc"); version == nil {
				v.Failf(m, lint.Subject{}, "%s lacks the member jsonrpc", kind)
			} else if !rawjson.IsString(version, "2.0") {
				v.Failf(m, lint.Subject{}, `the member jsonrpc of %s is not "2.0"`, kind)
			}
		}
	},
}
