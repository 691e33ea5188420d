package rpc

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
)

var invalidParams = lint.Rule{
	ID: "RPC-013", Slug: "invalid-params",
	Title:    "a known method with wrong parameters is answered with the error -32602",
	Severity: lint.Info, Strength: lint.Must, SDKWide: true,
	Revisions: lint.All, Level: lint.Probe,
	Rests: []lint.Clause{{Page: "JSON-RPC 2.0 5.1", Demand: "-32602 says that the parameters of a method are invalid."}},
	What:  "Sends tools/call without a name and without any params, and resources/read without a uri, if tools and resources are declared, and expects the error -32602. Modern servers over HTTP may miss the header Mcp-Name first, with -32020. A method that is declared and not there is a matter of LIFE-009.",
	Why:   "By this code a client knows that the request was wrong and not the server, and does not try it again unchanged.",
	Bad:   `{"jsonrpc":"2.0","id":6,"error":{"code":-32603,"message":"Cannot read properties of undefined"}}`,
	Good:  `{"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"name is required"}}`,
	Fix:   "Check the parameters of each method before they are used, and answer -32602 with a sentence that says what is wrong. Some SDKs answer another code by themselves; a newer version may do better.",
	Check: func(v *lint.View) {
		steps, unknown := v.Steps(step.WrongParams), 0
		for _, s := range steps {
			subject := lint.Subject{Kind: "request", Name: s.About}
			switch answer := s.Answer(); {
			case answer == nil:
				v.NotVerified("%s was not answered", s.About)
			case answer.HasResult():
				v.Failf(answer, subject, "wrong parameters are answered with a result")
			case answer.HTTP != nil && answer.Code() == mcp.CodeHeaderMismatch: // there is no name for the header either
				v.Saw()
			case answer.Code() == jsonrpc.MethodNotFound: // LIFE-009
				unknown++
			case answer.Code() != jsonrpc.InvalidParams:
				v.Failf(answer, subject, "wrong parameters are answered with the code %d", answer.Code())
			default:
				v.Saw()
			}
		}
		if unknown > 0 && unknown == len(steps) {
			v.NotVerified("the server does not have the methods that it was asked for (LIFE-009)")
		}
		if manners := v.Talks(step.Manners); len(steps) == 0 && len(manners) > 0 && !manners[0].Declares("tools") && !manners[0].Declares("resources") {
			v.NotApplicable("the server declares neither tools nor resources")
		}
	},
}
