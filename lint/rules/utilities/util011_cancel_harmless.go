package utilities

import (
	"slices"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var cancelHarmless = lint.Rule{
	ID: "UTIL-011", Slug: "cancel-harmless",
	Title:    "cancelling what does not run does no harm",
	Severity: lint.Error, Strength: lint.Should,
	Revisions: lint.All, Level: lint.Probe,
	Rests: cancellationRests(
		"Cancellations of requests that are unknown, already answered, or badly named are ignored.",
		"Cancellations of requests that are unknown, already answered, or badly named are ignored."),
	What: "Sends notifications/cancelled for a request that never was, for one that is answered, and without an id, with null and with an object for one. The connection stays, and a request afterwards is answered. That notifications get no response is the matter of RPC-010.",
	Why:  "A cancellation and the answer cross each other all the time. A server that fails over it ends the session for everything else.",
	Bad:  `{"method":"notifications/cancelled","params":{"requestId":999}}, and the process ends`,
	Good: `{"method":"notifications/cancelled","params":{"requestId":999}}, then {"method":"ping","id":4} is answered`,
	Fix:  "Look the id up among the running requests, and do nothing when it is not there or is no id.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks(step.Probing) {
			if i := slices.IndexFunc(t.Steps, isCancel); i >= 0 {
				judgeAfter(v, t.Steps[i:])
			}
		}
		if len(v.Talks(step.Probing)) > 0 && len(v.Steps(step.CancelUnknown)) == 0 {
			noCancel(v)
		}
	},
}

// noCancel says why nothing was cancelled.
func noCancel(v *lint.View) {
	for _, t := range v.Talks(step.Probing) {
		if !t.Modern || lint.TransportOf(t.Transport)&lint.HTTP == 0 {
			v.NotVerified("the talk ended before anything could be cancelled")
			return
		}
	}
	v.NotApplicable("over HTTP, modern requests are cancelled by closing their streams")
}

// isCancel says whether a step has cancelled something.
func isCancel(s *lint.Step) bool {
	cancels := s.Name == step.CancelUnknown || s.Name == step.CancelFinished || s.Name == step.CancelMalformed
	return cancels && s.Outcome != lint.NotSent
}

// judgeAfter wants the server to be alive after the cancellations, of which the
// first is the first of the steps.
func judgeAfter(v *lint.View, steps []*lint.Step) {
	last := steps[0]
	for _, s := range steps {
		switch {
		case isCancel(s):
			last = s
		case s.Name != step.Alive:
		case s.Answer() != nil:
			v.Saw()
			return
		case s.Outcome == lint.Silent:
			v.Failf(last, lint.Subject{}, "requests are not answered any more after a cancellation")
			return
		default:
			v.Failf(last, lint.Subject{}, "the connection ends after a cancellation")
			return
		}
	}
	v.NotVerified("nothing was asked after the cancellations")
}
