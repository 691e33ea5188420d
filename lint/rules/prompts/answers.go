package prompts

import (
	"mcpworks/lint"
	"mcpworks/mcp/jsonrpc"
)

// answers are the answers to the steps of a name. A step without one, and a
// method that does not exist, are the business of other rules.
func answers(v *lint.View, name string) []*lint.Message {
	var answers []*lint.Message
	for _, s := range v.Steps(name) {
		switch answer := s.Answer(); {
		case answer == nil:
			v.NotVerified("the step %q was not answered (RPC-012)", s.Name)
		case answer.Code() == jsonrpc.MethodNotFound:
			v.NotVerified("the server has no such method (LIFE-009)")
		default:
			answers = append(answers, answer)
		}
	}
	return answers
}

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
