package rpc

import "mcpworks/lint"

var noModernFields = lint.Rule{
	ID: "RPC-023", Slug: "no-modern-fields",
	Title:    "legacy results have no resultType, ttlMs or cacheScope",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.Legacy, Level: lint.Passive,
	What: "Looks at every result in talks that were opened with initialize, for members that only 2026-07-28 defines.",
	Why:  "Older clients ignore these members at best. One that does not allow unknown members refuses the result.",
	Bad:  `{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[]}}`,
	Good: `{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}`,
	Fix:  "Add these members only to answers of requests that name 2026-07-28 or later in their _meta.",
	Check: func(v *lint.View) {
		for _, m := range results(v, false) {
			v.Saw()
			for _, name := range []string{"resultType", "ttlMs", "cacheScope"} {
				if lint.Member(m.Result, name) != nil {
					v.Failf(m, ofMethod(m), "a legacy result has the modern member %s", name)
				}
			}
		}
	},
}
