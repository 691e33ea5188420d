package streamable

import (
	"strings"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var sessionEntropy = lint.Rule{
	ID: "HTTP-007", Slug: "session-entropy",
	Title:    "session ids cannot be guessed",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: withSessions, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		legacy("session-management", "Session ids never repeat, and come from a cryptographic source."),
	},
	What: "Opens four sessions and compares their ids. They have to differ, have at least 16 characters, share at most the first half, and not count upwards. Of a signed token only the signature is compared.",
	Why:  "Whoever knows the id of a session can speak in it. Ids that are short, or follow from each other, can be found by trying.",
	Bad: `Mcp-Session-Id: session-0000000000000041
Mcp-Session-Id: session-0000000000000042`,
	Good: `Mcp-Session-Id: 7f9c2ba4-e88f-4271-8b1e-1f1c3f9a4b0d
Mcp-Session-Id: 0b6d1f3e-52a7-4c1b-9d0e-c5a4e2f87d61`,
	Fix: "Take ids from a cryptographically secure source, at least 128 bits: a random UUID (crypto.randomUUID() in Node.js, uuid.uuid4() in Python, crypto/rand in Go).",
	Check: func(v *lint.View) {
		if !hasSessions(v) {
			return
		}
		var ids []string
		var last *lint.Step
		for _, t := range v.Talks(step.HTTPSessions) {
			if id := sessionID(t); id != "" {
				ids, last = append(ids, random(id)), t.Step(step.Initialize, "")
			}
		}
		if len(ids) < 2 {
			v.NotVerified("fewer than two sessions could be opened at the same time")
			return
		}
		v.Saw()
		if flaw := flawOf(ids); flaw != "" {
			evidence := last.Evidence()
			evidence.Note = "the ids, in order: " + strings.Join(ids, ", ")
			v.Fail(lint.Finding{Message: flaw, Evidence: evidence, Revision: last.Talk().Revision})
		}
	},
}
