package prompts

import (
	"mcpworks/lint"
	"mcpworks/mcp/jsonrpc"
)

// prompt is what a finding about an answer to prompts/get is about.
func prompt(answer *lint.Message) lint.Subject {
	name, _ := lint.Text(lint.Member(answer.Asked.Params, "name"))
	return lint.Subject{Kind: "prompt", Name: name}
}

// wantInvalidParams adds a finding about a request that is answered by anything
// else than error -32602.
func wantInvalidParams(v *lint.View, answer *lint.Message, subject lint.Subject, what string) {
	v.Saw()
	switch {
	case answer.HasResult():
		v.Failf(answer, subject, "%s is answered with a result", what)
	case answer.Code() != jsonrpc.InvalidParams:
		v.Failf(answer, subject, "%s is answered with error code %d", what, answer.Code())
	}
}
