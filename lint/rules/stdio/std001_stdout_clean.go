package stdio

import (
	"slices"

	"mcpworks/lint"
)

var stdoutClean = lint.Rule{
	ID: "STD-001", Slug: "stdout-clean",
	Title:    "standard output carries nothing but messages",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Transports: lint.Stdio, Level: lint.Passive,
	Rests: says("Standard output is for messages of the protocol alone."),
	What:  "Looks at every line of standard output, from the start of the process to its end, or to the signal that ends it. A line that is no JSON, or JSON that does not claim to be a message, is reported. Lines between calls of tools are STD-013, headers with a length STD-004, other encodings STD-003.",
	Why:   "Clients read every line as a message. Some skip what they do not understand, others show an error for each line or give up the server.",
	Bad: `Starting sample server...
{"jsonrpc":"2.0","id":1,"result":{…}}`,
	Good: `{"jsonrpc":"2.0","id":1,"result":{…}}`,
	Fix:  "Print to standard error: console.error in Node.js, file=sys.stderr in Python, a logger that is set up for it. Look for banners, progress bars and libraries that print by themselves.",
	Check: func(v *lint.View) {
		lines := slices.DeleteFunc(faulty(v, noise), func(m *lint.Message) bool { return whileCalling(m) || isLastWord(m) })
		failNoise(v, lines, "standard output carries lines that are no messages")
	},
}
