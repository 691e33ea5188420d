package modern

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/mcp"
)

var inputRequiredDeclared = lint.Rule{
	ID: "MOD-020", Slug: "input-required-declared",
	Title:    "clients are asked only for what they have declared",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Call,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic/patterns/mrtr#server-requirements-basic-workflow", Demand: "inputRequests has no request of a kind that the client did not declare among its capabilities."}},
	What:  "Compares the kinds of inputRequests, for elicitations with their mode, with the capabilities in _meta of the request that they answer. A client that declares elicitation without a mode can do forms.",
	Why:   "The client cannot answer. Where -32021 would have told the user what is missing, the call ends in nothing.",
	Bad:   `a client with "clientCapabilities":{} gets {"inputRequests":{"name":{"method":"elicitation/create",…}}}`,
	Good:  `it gets {"error":{"code":-32021,"data":{"requiredCapabilities":{"elicitation":{}}}}}`,
	Fix:   "Look at io.modelcontextprotocol/clientCapabilities of this very request before asking; do without the input, or answer -32021.",
	Check: func(v *lint.View) {
		requests := 0
		for _, m := range inputRequired(v) {
			declared := meta(m.Asked, mcp.MetaClientCapabilities)
			for _, request := range rawjson.Members(lint.Member(m.Result, "inputRequests")) {
				v.Saw()
				requests++
				if kind := needed(request); kind != "" && !declares(declared, kind) {
					v.Failf(m, wanter(m), "asks the client for %s, which it did not declare", kind)
				}
			}
		}
		if requests == 0 {
			wantsNothing(v)
		}
	},
}

// needed is the capability that one of inputRequests takes; empty if it is none
// that there is.
func needed(request []byte) string {
	method, _ := lint.Text(lint.Member(request, "method"))
	switch method {
	case mcp.MethodListRoots:
		return "roots"
	case mcp.MethodCreateMessage:
		return "sampling"
	case mcp.MethodElicit:
		if rawjson.IsString(lint.Member(request, "params", "mode"), "url") {
			return "elicitation.url"
		}
		return "elicitation.form"
	}
	return ""
}

func declares(capabilities []byte, kind string) bool {
	elicitation := lint.Member(capabilities, "elicitation")
	switch kind {
	case "elicitation.url":
		return lint.Member(elicitation, "url") != nil
	case "elicitation.form":
		return elicitation != nil && (lint.Member(elicitation, "form") != nil || lint.Member(elicitation, "url") == nil)
	}
	return lint.Member(capabilities, kind) != nil
}
