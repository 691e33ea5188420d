package rpc

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var survivesGarbage = lint.Rule{
	ID: "RPC-016", Slug: "survives-garbage",
	Title:    "the server goes on after malformed messages",
	Severity: lint.Error, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Probe,
	What: "Sends 15 messages that are none: requests with a wrong jsonrpc, method or id, JSON that breaks off, words, JSON of other shapes, responses that nobody waits for, an empty line; and a batch, where the revision has none. After each, a ping or a server/discover has to be answered on the same connection.",
	Why:  "One bad message, from a bug or from a line that a shell printed, takes the server away from the user in the middle of a session.",
	Bad:  "→ {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\n(the process ends)",
	Good: "→ {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\n← {\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"parse error\"}}",
	Fix:  "Read line by line, or body by body, and treat what cannot be decoded as one bad message: report it on standard error, answer it if it has an id, and read on.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks(step.Malformed, step.Manners) {
			for i, s := range t.Steps {
				if i == 0 || s.Name != step.Alive || s.About == "" || s.About == step.ABatch && lint.B.Has(t.Revision) {
					continue
				}
				if garbage := t.Steps[i-1]; garbage.Outcome != lint.NotSent {
					judgeSurvival(v, garbage, s)
				}
			}
		}
	},
}

// judgeSurvival looks at the check for life after a malformed message.
func judgeSurvival(v *lint.View, garbage, alive *lint.Step) {
	switch {
	case alive.Answer() != nil:
		v.Saw()
		return
	case cutOff(alive):
		v.NotVerified("the probing was cut off")
		return
	}
	f := lint.Finding{
		Subject:  lint.Subject{Kind: "message", Name: alive.About},
		Message:  "the server does not answer any more after this message",
		Evidence: garbage.Evidence(), Revision: garbage.Talk().Revision,
	}
	if f.Evidence.Note = alive.Evidence().Note; alive.Outcome == lint.Lost || alive.Outcome == lint.NotSent {
		f.Message, f.Evidence.Note = "the connection ends after this message", garbage.Talk().Failure
	}
	if whole := firstSent(garbage); whole != "" {
		f.Evidence.Sent = whole
	}
	v.Fail(f)
}
