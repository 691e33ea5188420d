package utilities

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
