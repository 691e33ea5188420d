package stdio

import "mcpworks/lint"

var exitOnEOF = lint.Rule{
	ID: "STD-005", Slug: "exit-on-eof",
	Title:    "the process ends within 5 s after its standard input is closed",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: lint.All, Transports: lint.Stdio, Level: lint.Passive,
	Rests: []lint.Clause{
		{Revisions: lint.Modern, Page: modernPage + "#shutdown", Demand: "The end of its input tells a server to exit, which it should do soon."},
		{Revisions: lint.Legacy, Page: "basic/lifecycle#shutdown", Demand: "A client ends the connection by closing the server's input, and then waits for it to exit."},
	},
	What: "Closes the standard input at the end of the main talk of each era, and waits 5 s for the process to end before it sends SIGTERM. Talks in which something went wrong, or in which the server still waits for an answer of the client, do not count.",
	Why:  "The end of the input is the only sign that works everywhere, also when the client crashes. A server that misses it stays behind as an orphan, and every start of the client adds one.",
	Bad:  `(input closed)  5 s later: still running`,
	Good: `(input closed)  20 ms later: exit status 0`,
	Fix:  "End when standard input does: process.stdin.on(\"end\", …) in Node.js. Timers, watchers and open connections keep a process alive, so close them or exit.",
	Check: func(v *lint.View) {
		clean := cleanEnds(v)
		if len(clean) == 0 {
			v.NotVerified("no process was seen to come to a quiet end of its input")
		}
		for _, t := range clean {
			v.Saw()
			if t.Exit().After != endOfInput {
				failExit(v, t, lint.Warning, "the process is still running 5 s after the end of its input")
			}
		}
	},
}
