package lifecycle

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var secondInitialize = lint.Rule{
	ID: "LIFE-017", Slug: "second-initialize",
	Title:    "a second initialize does not end the server",
	Severity: lint.Error, Strength: lint.Quality,
	Revisions: lint.Legacy, Level: lint.Probe,
	What: "Sends a well-formed initialize once more after the handshake, and then a ping. The second initialize may be refused or answered; the ping has to be answered.",
	Why:  "Clients that connect again, and proxies that serve several clients, send initialize twice. One confused client must not take the server away from the others.",
	Bad: `→ {"id":2,"method":"initialize",…}
(the process ends)`,
	Good: `→ {"id":2,"method":"initialize",…}   ← {"id":2,"error":{"code":-32600,"message":"already initialized"}}
→ {"id":3,"method":"ping"}           ← {"id":3,"result":{}}`,
	Fix: "Answer a second initialize with an error, or like the first one, and keep the session.",
	Check: func(v *lint.View) {
		for _, s := range v.Steps(step.InitializeAgain) {
			alive := after(s, step.Alive)
			switch {
			case s.Outcome == lint.Lost || alive != nil && alive.Outcome == lint.Lost:
				v.Failf(s, lint.Subject{}, "the connection ends after a second initialize")
			case alive == nil || alive.Outcome == lint.NotSent:
				v.NotVerified("nothing was asked after the second initialize")
			case alive.Answer() == nil && !refused(alive):
				v.Failf(alive, lint.Subject{}, "nothing is answered any more after a second initialize")
			default:
				v.Saw()
			}
		}
	},
}

// after is the first step of a name that comes after another.
func after(s *lint.Step, name string) *lint.Step {
	seen := false
	for _, other := range s.Talk().Steps {
		if seen && other.Name == name {
			return other
		}
		seen = seen || other == s
	}
	return nil
}
