package stdio

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var stdinOrder = lint.Rule{
	ID: "STD-012", Slug: "stdin-order",
	Title:    "several messages in one write and one message in several writes are understood",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Transports: lint.Stdio, Level: lint.Probe,
	Rests: says("A newline ends a message, and nothing else does."),
	What:  "Writes three requests at once, and one request in three pieces with short pauses between them. All four have to be answered.",
	Why:   "A pipe is a stream of bytes: what one side writes at once can arrive in pieces, and the other way round. A server that takes each read for a message works until the first large request or the first quick client.",
	Bad:   `→ {"id":1,"method":"ping"}⏎{"id":2,"method":"ping"}⏎   ← {"id":1,"result":{}}   (nothing more)`,
	Good:  `→ {"id":1,"method":"ping"}⏎{"id":2,"method":"ping"}⏎   ← {"id":1,"result":{}}  ← {"id":2,"result":{}}`,
	Fix:   "Collect the input, and take out one message for each newline; keep what is left for the next read.",
	Check: func(v *lint.View) {
		judge := func(name, message string) {
			for _, s := range v.Steps(name) {
				switch {
				case s.Outcome == lint.Lost, isUnanswered(s):
					v.Failf(s, lint.Subject{}, "%s", message)
				case s.Asked() != nil:
					v.Saw()
				}
			}
		}
		judge(step.ManyInOne, "several messages in one write are not all answered")
		judge(step.OneInMany, "a message that comes in several pieces is not answered")
	},
}

// isUnanswered says whether a request of a step was never answered.
func isUnanswered(s *lint.Step) bool {
	for _, m := range s.Messages() {
		if !m.FromServer && m.Kind == lint.Request && m.Answer == nil {
			return true
		}
	}
	return false
}
