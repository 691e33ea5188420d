package modern

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var eraSwitch = lint.Rule{
	ID: "MOD-031", Slug: "era-switch",
	Title:    "a server of both eras survives a modern request followed by initialize",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.E, Transports: lint.Stdio, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic/versioning#backward-compatibility-with-initialization-based-versions", Demand: "A server of both eras may serve them side by side in one process; initialize selects the older one."}},
	What:  "Sends server/discover, a list in the modern way, and then initialize to one process. It has to answer both, and to be alive afterwards; a refused initialize is only noted.",
	Why:   "Clients that speak both eras probe with server/discover first, and some then choose the older one in the same process. They have to start the server again if it does not let them, and lose it if it dies.",
	Bad:   `initialize after modern requests ends the process`,
	Good:  `initialize after modern requests is answered with {"result":{"protocolVersion":"2025-11-25",…}}`,
	Fix:   "Do not choose the era for the whole process by its first message: a request with the version in _meta is modern, initialize opens the older one.",
	Check: func(v *lint.View) {
		if len(spoken(v)) == 0 {
			return
		}
		if !dual(v) {
			v.NotApplicable("the server speaks one era only")
			return
		}
		for _, t := range v.Record().Talks {
			if t.Phase != step.EraSwitch {
				continue
			}
			switched := t.Step(step.InitializeAfter, "")
			if switched == nil || switched.Outcome == lint.NotSent {
				v.NotVerified("the connection ended before initialize was sent")
				continue
			}
			v.Saw()
			alive := t.Step(step.Alive, "")
			switch got := switched.Answer(); {
			case switched.Outcome == lint.Lost || alive != nil && alive.Outcome == lint.Lost:
				v.Failf(switched, lint.Subject{}, "initialize after modern requests ends the process")
			case got == nil:
				v.Failf(switched, lint.Subject{}, "initialize after modern requests is not answered")
			case got.IsError():
				v.FailAs(lint.Info, switched, lint.Subject{}, "initialize is refused with error %d after modern requests in the same process", got.Code())
			}
		}
	},
}
