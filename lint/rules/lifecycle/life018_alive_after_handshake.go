package lifecycle

import (
	"slices"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var aliveAfterHandshake = lint.Rule{
	ID: "LIFE-018", Slug: "alive-after-handshake",
	Title:    "the server stays between the handshake and the first list",
	Severity: lint.Error, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Passive,
	What: "Looks at what happens between the answer to initialize, or to server/discover, and the answer to the first list or ping. The process must not end by itself then, and the connection must not be dropped.",
	Why:  "The client has shown the server as connected and loses it in the next moment, without a reason that it could show.",
	Bad: `→ {"method":"notifications/initialized"}
(the process ends with status 1)`,
	Good: `→ {"method":"notifications/initialized"}
→ {"id":2,"method":"tools/list"}   ← {"id":2,"result":{"tools":[…]}}`,
	Fix: "Look at the end of the server's standard error. The usual causes are an exception in the code that runs on notifications/initialized, and work in the background that fails without being caught.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks(step.Main) {
			if introduction(t) == nil {
				v.NotVerified("there was no handshake")
				continue
			}
			switch lost, answered := firstMoments(t); {
			case lost != nil:
				v.Failf(lost, lint.Subject{}, "the connection ends between the handshake and the first answer after it")
			case answered:
				v.Saw()
			}
		}
	},
}

// firstMoments is the step after the handshake in which the connection ended, or
// whether a list or a ping was answered before that.
func firstMoments(t *lint.Talk) (lost *lint.Step, answered bool) {
	name, _ := opening(t)
	begin := slices.IndexFunc(t.Steps, func(s *lint.Step) bool { return s.Name == name })
	for _, s := range t.Steps[begin:] {
		if (s.Name == step.List || s.Name == step.Ping) && (s.Answer() != nil || refused(s)) {
			return nil, true
		}
		if s.Outcome == lint.Lost || endsByItself(s) {
			return s, false
		}
	}
	return nil, false
}

func endsByItself(s *lint.Step) bool {
	return slices.ContainsFunc(s.Events, func(e lint.Event) bool { return e.Exit != nil && e.Exit.After == "by itself" })
}
