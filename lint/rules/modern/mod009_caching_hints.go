package modern

import (
	"math"
	"slices"
	"strconv"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/mcp"
)

// cacheable are the methods whose results say how long they are good for.
var cacheable = []string{
	mcp.MethodDiscover, mcp.MethodListTools, mcp.MethodListPrompts, mcp.MethodListResources, mcp.MethodListResourceTemplates, mcp.MethodReadResource,
}

var cachingHints = lint.Rule{
	ID: "MOD-009", Slug: "caching-hints",
	Title:    "results that can be kept say how long, and for whom",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Passive,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "server/utilities/caching", Demand: "Complete results of server/discover, of the lists and of resources/read carry ttlMs, a whole number that is not negative, and cacheScope, which is public or private."}},
	What:  "Looks at every complete result of server/discover, tools/list, prompts/list, resources/list, resources/templates/list and resources/read: ttlMs and cacheScope have to be there and to have one of these values. Repeated requests with inputResponses or requestState are left out.",
	Why:   "Without the hints clients fetch everything again each time; with wrong ones a result that was meant for one user can be shown to another.",
	Bad:   `{"resultType":"complete","tools":[],"ttlMs":"60s"}`,
	Good:  `{"resultType":"complete","tools":[],"ttlMs":60000,"cacheScope":"private"}`,
	Fix:   `Add ttlMs and cacheScope to these results; "ttlMs":0,"cacheScope":"private" is always right.`,
	Check: func(v *lint.View) {
		for _, m := range results(v) {
			method := m.MethodName()
			if !slices.Contains(cacheable, method) || !isComplete(m) || isRetry(m.Asked) {
				continue
			}
			v.Saw()
			switch ttl := lint.Member(m.Result, "ttlMs"); {
			case ttl == nil:
				v.Failf(m, about(method), "results lack ttlMs")
			case !isCount(ttl):
				v.Failf(m, about(method), "ttlMs is not a whole number from 0 on")
			}
			switch scope := lint.Member(m.Result, "cacheScope"); {
			case scope == nil:
				v.Failf(m, about(method), "results lack cacheScope")
			case !rawjson.IsString(scope, "public") && !rawjson.IsString(scope, "private"):
				v.Failf(m, about(method), "cacheScope is neither public nor private")
			}
		}
	},
}

// isCount says whether a value is a whole number and not negative, in any of the
// ways to write it.
func isCount(raw []byte) bool {
	if rawjson.KindOf(raw) != rawjson.Number {
		return false
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	return err == nil && n >= 0 && n == math.Trunc(n)
}
