package stdio

import "mcpworks/lint"

var exitStatus = lint.Rule{
	ID: "STD-007", Slug: "exit-status",
	Title:    "the exit status is 0 after a clean end of the input",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All, Transports: lint.Stdio, Level: lint.Passive,
	What: "Looks at the exit status of processes that ended because their input was closed, and had nothing left to do then.",
	Why:  "Clients and supervisors take another status for a crash: they log an error, or start the server again.",
	Bad:  `(input closed)  exit status 1`,
	Good: `(input closed)  exit status 0`,
	Fix:  "Treat the end of standard input as the regular end of the program, and not as an exception.",
	Check: func(v *lint.View) {
		seen := false
		for _, t := range cleanEnds(v) {
			exit := t.Exit()
			if exit.After != endOfInput {
				continue
			}
			v.Saw()
			seen = true
			switch {
			case exit.Signal != "":
				failExit(v, t, lint.Info, "a signal ends the process after the end of its input: %s", exit.Signal)
			case exit.Code != 0:
				failExit(v, t, lint.Info, "the exit status is %d after a clean end of the input", exit.Code)
			}
		}
		if !seen {
			v.NotVerified("no process ended because of the end of its input")
		}
	},
}
