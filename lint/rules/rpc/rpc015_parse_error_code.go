package rpc

import (
	"fmt"

	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp/jsonrpc"
)

var parseErrorCode = lint.Rule{
	ID: "RPC-015", Slug: "parse-error-code",
	Title:    "if input that is no JSON is answered, the code is -32700",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Probe,
	Rests: []lint.Clause{{Page: "JSON-RPC 2.0 5.1", Demand: "-32700 says that what was received is not JSON."}},
	What:  "Sends a request that breaks off and a line of words. If an error comes back, its code has to be -32700. A server that does not answer is not judged.",
	Why:   "The code tells a client that the bytes were damaged on their way, and not that the request was wrong.",
	Bad:   `{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Unexpected end of JSON input"}}`,
	Good:  `{"jsonrpc":"2.0","error":{"code":-32700,"message":"parse error"}}`,
	Fix:   "Answer -32700 where JSON cannot be parsed, and keep -32600 for JSON that is no valid request.",
	Check: func(v *lint.View) {
		steps := v.Steps(step.Unparsable)
		for _, s := range steps {
			for _, m := range aftermath(s) {
				if !m.FromServer || !m.IsError() || m.Asked != nil || !claimed(m) {
					continue
				}
				v.Saw()
				if m.Code() != jsonrpc.ParseError {
					v.Fail(lint.Finding{
						Subject: lint.Subject{Kind: "input", Name: s.About}, Message: fmt.Sprintf("input that is no JSON is answered with the code %d", m.Code()),
						Evidence: provoked(m), Revision: m.Talk().Revision,
					})
				}
			}
		}
		if len(steps) > 0 {
			v.NotApplicable("the server does not answer input that is no JSON")
		}
	},
}
