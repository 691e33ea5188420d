package rpc

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var idForms = lint.Rule{
	ID: "RPC-008", Slug: "id-forms",
	Title:    "every form of id is understood and repeated unchanged",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Probe,
	Rests: onMessages(lint.All, "requests", "The id of a request is a string or an integer, and its response repeats it."),
	What:  "Sends a ping, or a server/discover in the modern era, with each of these ids: a string, 0, a negative number, 2^53-1, and a string with control characters, quotes and an emoji. Each has to be answered under the same id. Escapes may differ.",
	Why:   "Ids are the client's to choose, and clients use all of these forms. A server that takes 0 for none, or rounds large numbers, never answers some of them.",
	Bad:   "→ {\"jsonrpc\":\"2.0\",\"id\":9007199254740991,\"method\":\"ping\"}\n← {\"jsonrpc\":\"2.0\",\"id\":9007199254740992,\"result\":{}}",
	Good:  "→ {\"jsonrpc\":\"2.0\",\"id\":9007199254740991,\"method\":\"ping\"}\n← {\"jsonrpc\":\"2.0\",\"id\":9007199254740991,\"result\":{}}",
	Fix:   "Keep the id as raw JSON, or as a type that holds a string or a 64-bit integer. Tell an id that is absent from one that is 0 or empty.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks(step.Manners) {
			l := newLedger(t)
			for _, s := range t.StepsOf(step.IDForm) {
				if asked := s.Asked(); asked != nil && s.Outcome != lint.NotSent {
					v.Saw()
					judgeEcho(v, l, s, asked)
				}
			}
		}
	},
}

func judgeEcho(v *lint.View, l *ledger, s *lint.Step, asked *lint.Message) {
	if l.answered[idKey(asked.ID)] != nil {
		return
	}
	subject := lint.Subject{Kind: "id", Name: s.About}
	for _, m := range during(s) {
		if m.FromServer && m.Kind == lint.Response && m.Asked == nil {
			v.Fail(lint.Finding{
				Subject: subject, Message: "a request with this id is answered under another id, or none",
				Evidence: besides(asked, m), Revision: s.Talk().Revision,
			})
			return
		}
	}
	v.Failf(s, subject, "a request with this id is not answered")
}

// isOddID says whether a request was made to see what becomes of its id.
func isOddID(m *lint.Message) bool { return m.Step.Name == step.IDForm || m.Step.Name == step.BadID }
