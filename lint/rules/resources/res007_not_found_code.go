package resources

import (
	"mcpworks/lint"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
)

var notFoundCode = lint.Rule{
	ID: "RES-007", Slug: "not-found-code",
	Title:    "reading an unknown URI is answered with the error code for it",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Probe, Needs: "resources",
	Rests: []lint.Clause{
		{Revisions: lint.Modern, Page: "server/resources#error-handling", Demand: "A resource that does not exist is an error with code -32602."},
		{Revisions: lint.Legacy, Page: "server/resources#error-handling", Demand: "A resource that does not exist is an error, with code -32002."},
	},
	What: "Reads a URI that no server has. Up to 2025-11-25 the answer should be an error with code -32002, and -32602 is accepted; anything else is a warning. In 2026-07-28 it must be -32602.",
	Why:  "By the code a client tells a resource that is gone, which it can drop from its list, from a server that has failed, which it may ask again.",
	Bad:  `{"jsonrpc":"2.0","id":4,"error":{"code":-32603,"message":"unknown resource"}}`,
	Good: `{"jsonrpc":"2.0","id":4,"error":{"code":-32002,"message":"unknown resource","data":{"uri":"db://x"}}}`,
	Fix:  "Answer an unknown URI with error -32602 in revision 2026-07-28, and with -32002 before.",
	Check: func(v *lint.View) {
		for _, answer := range unknownReads(v) {
			if answer.HasResult() && len(contents(answer.Result)) == 0 {
				v.NotVerified("the unknown URI was not refused (RES-008)")
				continue
			}
			v.Saw()
			switch {
			case answer.HasResult():
				v.FailAs(modernOr(answer, lint.Warning), answer, lint.Subject{}, "an unknown URI is answered with contents")
			case !notFound(answer):
				v.FailAs(modernOr(answer, lint.Warning), answer, lint.Subject{}, "an unknown URI is answered with error code %d", answer.Code())
			}
		}
	},
}

// notFound says whether an error has a code that says so in its revision.
func notFound(answer *lint.Message) bool {
	code := answer.Code()
	return code == jsonrpc.InvalidParams || !answer.Talk().Modern && code == mcp.V20251125.ResourceNotFound
}

// modernOr is error for a modern answer, and otherwise what is given.
func modernOr(answer *lint.Message, legacy lint.Severity) lint.Severity {
	if answer.Talk().Modern {
		return lint.Error
	}
	return legacy
}
