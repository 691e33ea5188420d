package rpc

import (
	"math"
	"strconv"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var errorObject = lint.Rule{
	ID: "RPC-005", Slug: "error-object",
	Title:    "an error has an integer as its code and a string as its message",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Passive,
	Rests: append(onMessages(lint.All, "responses", "An error has a code and a message, and the code is an integer."),
		lint.Clause{Page: "JSON-RPC 2.0 5.1", Demand: "An error is an object with an integer code and a message that is a string."}),
	What: "Looks at every error response of the server: error has to be an object, error.code an integer and error.message a string.",
	Why:  "Typed clients cannot decode anything else. Users then see a decoding failure instead of what went wrong.",
	Bad:  `{"jsonrpc":"2.0","id":1,"error":{"code":"ENOENT","message":"no such file"}}`,
	Good: `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no such file","data":{"code":"ENOENT"}}}`,
	Fix:  "Answer with one of the numbers of JSON-RPC as code and a sentence as message; put codes of your own into error.data.",
	Check: func(v *lint.View) {
		for _, m := range responses(v) {
			if m.Error == nil {
				continue
			}
			v.Saw()
			if rawjson.KindOf(m.Error) != rawjson.Object {
				v.Failf(m, lint.Subject{}, "error is no object")
				continue
			}
			if !isWhole(lint.Member(m.Error, "code")) {
				v.Failf(m, lint.Subject{}, "error.code %s", lack(m.Error, "code", "an integer"))
			}
			if _, ok := lint.Text(lint.Member(m.Error, "message")); !ok {
				v.Failf(m, lint.Subject{}, "error.message %s", lack(m.Error, "message", "a string"))
			}
		}
	},
}

// isWhole says whether a value is a number without a fraction, however written.
func isWhole(raw []byte) bool {
	if rawjson.KindOf(raw) != rawjson.Number {
		return false
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	return err == nil && n == math.Trunc(n)
}

func lack(object []byte, name, kind string) string {
	if lint.Member(object, name) == nil {
		return "is missing"
	}
	return "is not " + kind
}
