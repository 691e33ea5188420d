package rpc

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var resultObject = lint.Rule{
	ID: "RPC-020", Slug: "result-object",
	Title:    "the result of a response is an object",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Passive,
	Rests: onMessages(lint.All, "responses", "A result is an object, whatever its members are."),
	What:  "Looks at the member result of every response: null, an array, a string, a number or a boolean is no object.",
	Why:   "JSON-RPC allows any value here, MCP does not. Clients look for members such as tools or _meta and fail.",
	Bad:   `{"jsonrpc":"2.0","id":2,"result":null}`,
	Good:  `{"jsonrpc":"2.0","id":2,"result":{}}`,
	Fix:   "Return an empty object where there is nothing to return, and put lists and texts into a member.",
	Check: func(v *lint.View) {
		for _, m := range responses(v) {
			if m.Result == nil {
				continue
			}
			v.Saw()
			if kind := rawjson.KindOf(m.Result); kind != rawjson.Object {
				v.Failf(m, ofMethod(m), "the result is %v and no object", kind)
			}
		}
	},
}
