package paging

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp/jsonrpc"
)

var badCursor = lint.Rule{
	ID: "PAGE-003", Slug: "bad-cursor",
	Title:    "a cursor that the server never gave is refused with error -32602",
	Severity: lint.Info, Strength: lint.Should, SDKWide: true,
	Revisions: lint.All, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.All, Page: "server/utilities/pagination#error-handling", Demand: "An invalid cursor is answered with error -32602."}},
	What:  "Asks for every list that the server declares with a made-up cursor, and expects error -32602.",
	Why:   "A client with a cursor from before a restart gets the first page again and takes it for the next one, so that entries appear twice and others never.",
	Bad:   `{"method":"tools/list","params":{"cursor":"made-up"}} gives {"result":{"tools":[…]}}`,
	Good:  `{"method":"tools/list","params":{"cursor":"made-up"}} gives {"error":{"code":-32602,"message":"invalid cursor"}}`,
	Fix:   "Check the cursor, also in lists that have only one page, and answer an unknown one with error -32602.",
	Check: func(v *lint.View) {
		for _, s := range v.Steps(step.ListMadeUp) {
			switch answer := s.Answer(); {
			case answer == nil:
				v.NotVerified("a list with a made-up cursor was not answered (RPC-012)")
			case answer.Code() == jsonrpc.MethodNotFound: // LIFE-009, LIFE-012
			case answer.Code() == jsonrpc.InvalidParams:
				v.Saw()
			case answer.HasResult():
				v.Failf(answer, subject(s.About), "a made-up cursor is accepted")
			default:
				v.Failf(answer, subject(s.About), "a made-up cursor is answered with error code %d", answer.Code())
			}
		}
		if len(v.Steps(step.ListMadeUp)) == 0 && len(v.Talks(step.Probing)) > 0 {
			v.NotApplicable("the server declares no lists")
		}
	},
}
