package utilities

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp/jsonrpc"
)

// completions are the answers to a step about completion. The first revision
// has no capability for it: there a server that does not know the method simply
// has no completion.
func completions(v *lint.View, name string) []*lint.Message {
	var answers []*lint.Message
	for _, s := range v.Steps(name) {
		switch answer := s.Answer(); {
		case answer == nil:
			v.NotVerified("the step %q was not answered (RPC-012)", s.Name)
		case answer.Code() != jsonrpc.MethodNotFound:
			answers = append(answers, answer)
		case s.Talk().Declares("completions"):
			v.NotVerified("the server has no such method (LIFE-009)")
		default:
			v.NotApplicable("the server does not complete")
		}
	}
	if len(v.Talks(step.Probing)) > 0 && len(v.Steps(name)) == 0 {
		nothingToComplete(v)
	}
	return answers
}

// nothingToComplete says why no completion was asked for.
func nothingToComplete(v *lint.View) {
	for _, t := range v.Talks(step.Probing) {
		if t.Declares("completions") {
			v.NotVerified("there is no argument and no variable to complete")
			return
		}
	}
	v.NotApplicable("the server does not declare completions")
}
