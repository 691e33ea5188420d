package rpc

import "mcpworks/lint"

var retiredCodes = lint.Rule{
	ID: "RPC-019", Slug: "retired-codes",
	Title:    "modern replies never use the codes -32002 and -32042",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic#error-codes", Demand: "-32002 and -32042, which earlier revisions defined, are not sent any more."}},
	What:  "Looks at the code of every error that answers a modern request, among them those for an unknown resource, prompt and method.",
	Why:   "Modern clients do not know these codes. A resource that was not found, for one, looks like a failure of the server.",
	Bad:   `{"jsonrpc":"2.0","id":9,"error":{"code":-32002,"message":"resource not found"}}`,
	Good:  `{"jsonrpc":"2.0","id":9,"error":{"code":-32602,"message":"resource not found","data":{"uri":"file:///gone"}}}`,
	Fix:   "Answer -32602 for a resource that does not exist, and ask for input with a result of the type input_required.",
	Check: func(v *lint.View) {
		for _, m := range responses(v) {
			if !m.IsError() || m.Code() == 0 || m.Asked == nil || !isModern(m.Asked) {
				continue
			}
			v.Saw()
			if retired(m.Code()) {
				v.Failf(m, ofMethod(m), "the code %d is not used any more in this revision", m.Code())
			}
		}
	},
}
