package utilities

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// A question is something that the server wants from the client: a request in
// the legacy era, part of an input_required result in the modern one.
type question struct {
	in     *lint.Message
	params []byte
	client []byte // the capabilities that the client has declared
}

// questions are those of one method.
func questions(v *lint.View, method string) []question {
	var found []question
	for _, m := range v.Received() {
		switch {
		case m.Kind == lint.Request && m.MethodName() == method:
			found = append(found, question{m, m.Params, m.Talk().Client})
		case m.HasResult() && m.Asked != nil && rawjson.IsString(lint.Member(m.Result, "resultType"), "input_required"):
			client := lint.Member(m.Asked.Params, "_meta", mcp.MetaClientCapabilities)
			requests := lint.Member(m.Result, "inputRequests")
			if rawjson.KindOf(requests) != rawjson.Object {
				continue
			}
			for _, request := range rawjson.Members(requests) {
				if rawjson.IsString(lint.Member(request, "method"), method) {
					found = append(found, question{m, lint.Member(request, "params"), client})
				}
			}
		}
	}
	if len(v.Steps(step.Call)) > 0 {
		v.NotApplicable("no call asked for it")
	}
	return found
}

// hasText says whether a member of the params is a string.
func (q question) hasText(name string) bool {
	_, ok := lint.Text(lint.Member(q.params, name))
	return ok
}
