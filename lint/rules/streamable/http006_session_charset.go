package streamable

import (
	"strings"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var sessionCharset = lint.Rule{
	ID: "HTTP-006", Slug: "session-charset",
	Title:    "session ids consist of visible ASCII characters",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: withSessions, Transports: lint.Streamable, Level: lint.Passive,
	Rests: []lint.Clause{
		legacy("session-management", "A session id has only characters from 0x21 to 0x7E."),
	},
	What: "Looks at the Mcp-Session-Id of every response to initialize: each of its characters has to be between 0x21 and 0x7E.",
	Why:  "A client sends the id back in a header. Blanks, control characters and letters beyond ASCII do not survive that, or are refused by HTTP libraries, so that no later request finds its session.",
	Bad:  "Mcp-Session-Id: session ä 1",
	Good: "Mcp-Session-Id: 7f9c2ba4-e88f-4271-8b1e-1f1c3f9a4b0d",
	Fix:  "Make session ids of letters, digits and dashes, for example a random UUID.",
	Check: func(v *lint.View) {
		if !hasSessions(v) {
			return
		}
		for _, t := range v.Talks() {
			id := sessionID(t)
			if id == "" {
				continue
			}
			v.Saw()
			if strings.ContainsFunc(id, func(r rune) bool { return r < 0x21 || r > 0x7e }) {
				v.Failf(t.Step(step.Initialize, ""), lint.Subject{}, "a session id has characters that are not visible ASCII")
			}
		}
	},
}
