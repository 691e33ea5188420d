package rpc

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var nullID = lint.Rule{
	ID: "RPC-009", Slug: "null-id",
	Title:    "an error about a message whose id cannot be read has no id, rather than null",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.D | lint.E, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.D | lint.E, Page: "schema#jsonrpcerrorresponse", Demand: "The id of an error response is a string or a number, and may be left out."}},
	What:  "Sends messages whose id cannot be read, such as JSON that breaks off, and looks at the id of the errors that come back. A server that does not answer them is not judged.",
	Why:   "JSON-RPC has null here, but the schema of these revisions does not allow it: a client that validates what it receives drops the error.",
	Bad:   `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}`,
	Good:  `{"jsonrpc":"2.0","error":{"code":-32700,"message":"parse error"}}`,
	Fix:   "Leave the member id out of an error that answers nothing in particular.",
	Check: func(v *lint.View) {
		for _, m := range responses(v) {
			if !m.IsError() || !unnamed(m.ID) {
				continue
			}
			v.Saw()
			if m.ID != nil {
				v.Fail(lint.Finding{Message: "the id of an error response is null", Evidence: provoked(m), Revision: m.Talk().Revision})
			}
		}
		if len(v.Steps(step.Unparsable)) > 0 {
			v.NotApplicable("the server does not answer what it cannot read")
		}
	},
}
