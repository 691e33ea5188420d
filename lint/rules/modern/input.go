package modern

import (
	"slices"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// isInputRequired says whether a result asks the client for something.
func isInputRequired(m *lint.Message) bool {
	return m.HasResult() && rawjson.IsString(lint.Member(m.Result, "resultType"), "input_required")
}

// isComplete says whether a result is the final one. One that does not say is.
func isComplete(m *lint.Message) bool {
	kind, named := lint.Text(lint.Member(m.Result, "resultType"))
	return !named || kind == "complete"
}

// isRetry says whether a request repeats another one, with what was asked for.
func isRetry(request *lint.Message) bool {
	return lint.Member(request.Params, "inputResponses") != nil || lint.Member(request.Params, "requestState") != nil
}

// inputRequired are the results that ask the client for something.
func inputRequired(v *lint.View) []*lint.Message {
	var answers []*lint.Message
	for _, m := range results(v) {
		if isInputRequired(m) {
			answers = append(answers, m)
		}
	}
	return answers
}

// wantsNothing ends a rule about what servers ask of clients that has seen no
// such thing.
func wantsNothing(v *lint.View) {
	called := slices.ContainsFunc(talks(v, step.Calling), func(t *lint.Talk) bool {
		return slices.ContainsFunc(t.StepsOf(step.Call), func(s *lint.Step) bool { return s.Answer() != nil })
	})
	hasTools := slices.ContainsFunc(spoken(v), func(t *lint.Talk) bool { return t.Declares("tools") })
	if hasTools && !called {
		v.NotVerified("no tool was called")
	} else {
		v.NotApplicable("nothing that was asked for wants anything of the client")
	}
}

// wanter is what a result is about: a tool, a prompt, a resource or just a method.
func wanter(m *lint.Message) lint.Subject {
	for method, part := range map[string]struct{ kind, member string }{
		mcp.MethodCallTool: {"tool", "name"}, mcp.MethodGetPrompt: {"prompt", "name"}, mcp.MethodReadResource: {"resource", "uri"},
	} {
		if name, ok := lint.Text(lint.Member(m.Asked.Params, part.member)); ok && m.MethodName() == method {
			return lint.Subject{Kind: part.kind, Name: name}
		}
	}
	return about(m.MethodName())
}
