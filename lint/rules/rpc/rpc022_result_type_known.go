package rpc

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var resultTypeKnown = lint.Rule{
	ID: "RPC-022", Slug: "result-type-known",
	Title:    "resultType is complete, input_required, or what an announced extension defines",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Passive,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic#resulttype", Demand: "The types are complete and input_required; only extensions that are in use add others, and a client takes an unknown one for invalid."}},
	What:  "Looks at resultType in every result that answers a modern request. Other strings than complete and input_required are accepted if the server announces extensions in its capabilities, since mcplint cannot know what they define.",
	Why:   "A client has to treat a result of an unknown type as invalid, so nothing of it reaches the user.",
	Bad:   `{"jsonrpc":"2.0","id":2,"result":{"resultType":"done","tools":[]}}`,
	Good:  `{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}}`,
	Fix:   "Write complete for a finished result. Announce the extension in capabilities.extensions if the type comes from one.",
	Check: func(v *lint.View) {
		for _, m := range results(v, true) {
			value := lint.Member(m.Result, "resultType")
			if value == nil {
				continue
			}
			v.Saw()
			switch kind, ok := lint.Text(value); {
			case !ok:
				v.Failf(m, ofMethod(m), "resultType is no string")
			case kind != "complete" && kind != "input_required" && !hasExtensions(m.Talk()):
				v.Failf(m, ofMethod(m), "resultType is neither complete nor input_required, and no extension is announced")
			}
		}
	},
}

func hasExtensions(t *lint.Talk) bool {
	for range rawjson.Members(lint.Member(t.Capabilities(), "extensions")) {
		return true
	}
	return false
}
