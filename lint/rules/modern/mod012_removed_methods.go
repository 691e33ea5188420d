package modern

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp/jsonrpc"
)

var removedMethods = lint.Rule{
	ID: "MOD-012", Slug: "removed-methods",
	Title:    "methods of older revisions are unknown in requests of this one",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.E, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "changelog", Demand: "Pings, setting the log level, subscribing to a resource, and tasks in the core are no longer part of the protocol."}},
	What:  "Sends ping, logging/setLevel, resources/subscribe, resources/unsubscribe, tasks/list and tasks/result with the _meta of this revision, and expects error -32601 for each.",
	Why:   "A client that is served believes that it has subscribed or has set a level, and waits for messages that this revision has no place for.",
	Bad:   `ping is answered with {"result":{"resultType":"complete"}}`,
	Good:  `ping is answered with {"error":{"code":-32601,"message":"Method not found"}}`,
	Fix:   "Choose the table of methods by the version in _meta of the request, also if the server speaks older revisions.",
	Check: func(v *lint.View) {
		for _, s := range steps(v, step.RemovedMethod) {
			switch got := answer(s); {
			case lost(v, s):
			case got == nil:
				v.Failf(s, about(s.About), "the method is gone in this revision, and the request %s", unanswered(s))
			case got.HasResult():
				v.Failf(got, about(s.About), "the method is gone in this revision, and is served")
			case got.Code() != jsonrpc.MethodNotFound:
				v.Failf(got, about(s.About), "the method is gone in this revision, and is refused with error %d, not with %d", got.Code(), jsonrpc.MethodNotFound)
			default:
				v.Saw()
			}
		}
	},
}
