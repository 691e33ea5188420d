package rpc

import "mcpworks/lint"

var resultType = lint.Rule{
	ID: "RPC-021", Slug: "result-type",
	Title:    "every modern result has the member resultType",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Passive,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic#resulttype", Demand: "Each result says by resultType of which type it is."}},
	What:  "Looks at every result that answers a modern request, whatever its method.",
	Why:   "A client tells a finished result from one that asks for input by this member. Those that are strict refuse a result without it.",
	Bad:   `{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}`,
	Good:  `{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}}`,
	Fix:   `Put "resultType":"complete" into every result that is finished, and "input_required" into those that are not. Do it where results are encoded, so that no method is forgotten.`,
	Check: func(v *lint.View) {
		for _, m := range results(v, true) {
			v.Saw()
			if lint.Member(m.Result, "resultType") == nil {
				v.Failf(m, ofMethod(m), "the result has no resultType")
			}
		}
	},
}
