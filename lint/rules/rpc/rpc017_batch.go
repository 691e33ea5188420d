package rpc

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var batch = lint.Rule{
	ID: "RPC-017", Slug: "batch",
	Title:    "batches are processed in 2025-03-26, and not part of later revisions",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.B | lint.C | lint.D | lint.E, Level: lint.Probe,
	Rests: []lint.Clause{
		{Revisions: lint.B, Page: "basic#batching", Demand: "A receiver must be able to take batches, whether or not it sends any."},
		{Revisions: lint.C, Page: "changelog", Demand: "Batches are no longer part of the protocol."},
		{Revisions: lint.D | lint.E, Page: "basic#messages", Demand: "A message is one request, one notification or one response; arrays of them are not defined."},
	},
	What: "Sends two requests in one array. Where 2025-03-26 is the revision in use, both have to be answered, singly or in an array. In later revisions the array may be refused or ignored; if it is answered, that is noted.",
	Why:  "Clients of 2025-03-26 may send batches. In the other revisions an answer is harmless, but nobody can rely on it.",
	Bad:  "→ [{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}]\n(nothing, in 2025-03-26)",
	Good: "→ [{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}]\n← [{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}},{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}]",
	Fix:  "Take arrays apart where 2025-03-26 was agreed, or do not agree to that revision. In later ones, refuse an array with the error -32600.",
	Check: func(v *lint.View) {
		for _, s := range v.Steps(step.Batch) {
			revision := s.Talk().Revision
			sent, served := countBatch(s)
			switch {
			case sent == 0 || lint.RevisionsOf(revision) == 0:
			case !lint.B.Has(revision) && served > 0:
				failBatch(v, s, lint.Info, "a batch is answered, although the revision has no batches")
			case lint.B.Has(revision) && served == 0 && refusal(s):
				failBatch(v, s, lint.Error, "a batch is refused")
			case lint.B.Has(revision) && served == 0:
				failBatch(v, s, lint.Error, "a batch is not answered")
			case lint.B.Has(revision) && served < sent:
				failBatch(v, s, lint.Error, "a batch is not answered completely")
			default:
				v.Saw()
			}
		}
	},
}

// failBatch shows the whole array and what came of it.
func failBatch(v *lint.View, s *lint.Step, severity lint.Severity, message string) {
	e := s.Evidence()
	if whole := firstSent(s); whole != "" {
		e.Sent = whole
	}
	for _, m := range aftermath(s) {
		if e.Received == "" && m.FromServer && m.IsError() && unnamed(m.ID) {
			e.Received, e.Note = string(m.Raw), ""
		}
	}
	v.Fail(lint.Finding{Severity: severity, Message: message, Evidence: e, Revision: s.Talk().Revision})
}

// countBatch counts the requests of a step that were sent in an array, and
// those of them that have a result.
func countBatch(s *lint.Step) (sent, served int) {
	for _, m := range s.Messages() {
		if m.FromServer || !m.Batch || m.Kind != lint.Request {
			continue
		}
		if sent++; m.Answer != nil && m.Answer.HasResult() {
			served++
		}
	}
	return sent, served
}
