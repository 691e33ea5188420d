package stdio

import (
	"slices"

	"mcpworks/lint"
)

var lateNoise = lint.Rule{
	ID: "STD-013", Slug: "late-noise",
	Title:    "standard output stays clean while tools run",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Transports: lint.Stdio, Level: lint.Call,
	Rests: says("Standard output is for messages of the protocol alone."),
	What:  "Looks at every line of standard output while tools are called. A line that is no JSON, or JSON that does not claim to be a message, is reported. What the server prints at its start is STD-001.",
	Why:   "This is the noise that nobody sees at first: a library, a child process or a forgotten print in one tool. It comes in the middle of answers and breaks them.",
	Bad: `→ {"id":7,"method":"tools/call",…}
← fetching https://example.com …
← {"id":7,"result":{…}}`,
	Good: `→ {"id":7,"method":"tools/call",…}
← {"id":7,"result":{…}}`,
	Fix: "Send the output of tools to standard error; give child processes a pipe of their own instead of the server's standard output.",
	Check: func(v *lint.View) {
		early := func(m *lint.Message) bool { return !whileCalling(m) }
		called := slices.ContainsFunc(v.Messages(), func(m *lint.Message) bool { return m.FromServer && whileCalling(m) })
		if !called {
			v.NotVerified("no tool was called")
		}
		failNoise(v, slices.DeleteFunc(faulty(v, noise), early), "standard output carries lines that are no messages while tools run")
	},
}
