package rpc

import "mcpworks/lint"

var resultXorError = lint.Rule{
	ID: "RPC-004", Slug: "result-xor-error",
	Title:    "a response has either a result or an error",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Passive,
	Rests: append(onMessages(lint.All, "responses", "A response has a result or an error, and never both."),
		lint.Clause{Page: "JSON-RPC 2.0 5", Demand: "One of result and error is there, and the other is not."}),
	What: "Looks at every response of the server: exactly one of the members result and error has to be there. A member that is null is there.",
	Why:  "Clients decide by these members whether the request went well. With both or neither, each client decides differently, or reports a broken connection.",
	Bad:  `{"jsonrpc":"2.0","id":1,"result":{},"error":null}`,
	Good: `{"jsonrpc":"2.0","id":1,"result":{}}`,
	Fix:  "Leave the other member out, rather than set it to null. A method without anything to return answers with an empty object as its result.",
	Check: func(v *lint.View) {
		for _, m := range messages(v) {
			if !isResponse(m) {
				continue
			}
			v.Saw()
			switch {
			case m.Result != nil && m.Error != nil:
				v.Failf(m, lint.Subject{}, "a response has both result and error")
			case m.Result == nil && m.Error == nil:
				v.Failf(m, lint.Subject{}, "a response has neither result nor error")
			}
		}
	},
}
