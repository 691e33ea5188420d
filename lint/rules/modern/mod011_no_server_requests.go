package modern

import "mcpworks/lint"

var noServerRequests = lint.Rule{
	ID: "MOD-011", Slug: "no-server-requests",
	Title:    "the server sends no requests",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Passive,
	Rests: []lint.Clause{
		{Revisions: lint.E, Page: "basic/patterns", Demand: "Requests go from the client to the server only."},
		{Revisions: lint.E, Page: "basic/patterns/mrtr", Demand: "What a server wants of the client it puts into an input_required result."},
	},
	What: "Looks at every message of the server in this revision: none may have both a method and an id.",
	Why:  "A client of this revision never answers. The server waits in vain, and with it the tool that wanted to know something.",
	Bad:  `{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"Which one?"}}`,
	Good: `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"which":{"method":"elicitation/create","params":{"message":"Which one?"}}}}}`,
	Fix:  "Return a result with resultType input_required and inputRequests instead, and go on when the client repeats its request with inputResponses.",
	Check: func(v *lint.View) {
		for _, m := range received(v) {
			v.Saw()
			if m.Kind == lint.Request {
				v.Failf(m, about(m.MethodName()), "the server sends this request to the client")
			}
		}
	},
}
