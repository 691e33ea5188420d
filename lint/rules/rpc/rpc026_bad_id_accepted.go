package rpc

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var badIDAccepted = lint.Rule{
	ID: "RPC-026", Slug: "bad-id-accepted",
	Title:    "a request whose id is an object, an array or a fraction is not served",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Probe,
	Rests: onMessages(lint.All, "requests", "The id of a request is a string or an integer."),
	What:  "Sends a ping, or a server/discover in the modern era, with each of these ids: an object, an array, a number with a fraction. An error or no answer is expected, and not a result.",
	Why:   "Such an id is a mistake of the client, which stays hidden here and breaks with other servers. Ids that cannot be compared also break cancellation and progress.",
	Bad:   "→ {\"jsonrpc\":\"2.0\",\"id\":{\"a\":1},\"method\":\"ping\"}\n← {\"jsonrpc\":\"2.0\",\"id\":{\"a\":1},\"result\":{}}",
	Good:  "→ {\"jsonrpc\":\"2.0\",\"id\":{\"a\":1},\"method\":\"ping\"}\n← {\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"the id must be a string or an integer\"}}",
	Fix:   "Refuse an id that is neither a string nor an integer with the error -32600.",
	Check: func(v *lint.View) {
		for _, s := range v.Steps(step.BadID) {
			v.Saw()
			asked := s.Asked()
			for _, m := range aftermath(s) {
				if asked != nil && m.FromServer && m.HasResult() && (m.Asked == nil || m.Asked == asked) {
					v.Fail(lint.Finding{
						Subject: lint.Subject{Kind: "id", Name: s.About}, Message: "a request with this id is served",
						Evidence: besides(asked, m), Revision: s.Talk().Revision,
					})
					break
				}
			}
		}
	},
}
