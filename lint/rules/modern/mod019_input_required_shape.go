package modern

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/mcp"
)

var inputRequiredShape = lint.Rule{
	ID: "MOD-019", Slug: "input-required-shape",
	Title:    "an input_required result says what is wanted, in a form that clients know",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Call,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic/patterns/mrtr#server-requirements-basic-workflow", Demand: "The result has inputRequests, requestState or both; each of the requests is an elicitation, a sampling or a roots request."}},
	What:  "Looks at every input_required result: inputRequests (an object) or requestState (a string) has to be there, and each of the requests has to have one of the methods elicitation/create, sampling/createMessage and roots/list with the params that it needs.",
	Why:   "A client cannot answer what it cannot read, and the call never comes to an end.",
	Bad:   `{"resultType":"input_required","inputRequests":{"name":{"method":"ask","params":{"question":"Name?"}}}}`,
	Good:  `{"resultType":"input_required","inputRequests":{"name":{"method":"elicitation/create","params":{"message":"Name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}}}`,
	Fix:   "Make the requests with the types of the SDK: an elicitation has a message and a requestedSchema, or mode url and a url; sampling has messages and maxTokens.",
	Check: func(v *lint.View) {
		wanting := inputRequired(v)
		for _, m := range wanting {
			v.Saw()
			requests, state := lint.Member(m.Result, "inputRequests"), lint.Member(m.Result, "requestState")
			switch {
			case requests == nil && state == nil:
				v.Failf(m, wanter(m), "an input_required result has neither inputRequests nor requestState")
			case requests != nil && rawjson.KindOf(requests) != rawjson.Object:
				v.Failf(m, wanter(m), "inputRequests is not an object")
			case state != nil && rawjson.KindOf(state) != rawjson.StringKind:
				v.Failf(m, wanter(m), "requestState is not a string")
			}
			for _, request := range rawjson.Members(requests) {
				if problem := requestProblem(request); problem != "" {
					v.Failf(m, wanter(m), "%s", problem)
				}
			}
		}
		if len(wanting) == 0 {
			wantsNothing(v)
		}
	},
}

// requestProblem says what is wrong with one of inputRequests; it is empty if
// nothing is.
func requestProblem(request []byte) string {
	method, _ := lint.Text(lint.Member(request, "method"))
	params := lint.Member(request, "params")
	has := func(name string, kind rawjson.Kind) bool { return rawjson.KindOf(lint.Member(params, name)) == kind }
	switch method {
	case mcp.MethodListRoots:
		return ""
	case mcp.MethodCreateMessage:
		if !has("messages", rawjson.Array) || !has("maxTokens", rawjson.Number) {
			return "a sampling/createMessage among inputRequests lacks messages or maxTokens"
		}
		return ""
	case mcp.MethodElicit:
	default:
		return "inputRequests has something that is not an elicitation/create, sampling/createMessage or roots/list"
	}
	switch mode, _ := lint.Text(lint.Member(params, "mode")); {
	case !has("message", rawjson.StringKind):
		return "an elicitation/create among inputRequests lacks its message"
	case mode == "url" && !has("url", rawjson.StringKind):
		return "an elicitation/create of mode url among inputRequests lacks its url"
	case mode != "url" && !has("requestedSchema", rawjson.Object):
		return "an elicitation/create among inputRequests lacks its requestedSchema"
	case mode != "url" && mode != "form" && lint.Member(params, "mode") != nil:
		return "an elicitation/create among inputRequests has a mode that does not exist"
	}
	return ""
}
