package stdio

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var exitOnTerm = lint.Rule{
	ID: "STD-006", Slug: "exit-on-term",
	Title:    "the process ends within 5 s after SIGTERM",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.All, Transports: lint.Stdio, Level: lint.Passive,
	Rests: []lint.Clause{
		{Revisions: lint.Legacy, Page: "basic/lifecycle#shutdown", Demand: "A client sends SIGTERM to a server that does not exit in time, and then SIGKILL."},
		{Revisions: lint.Modern, Page: modernPage + "#shutdown", Demand: "A client terminates a server that does not exit in time, on POSIX by SIGTERM and then SIGKILL."},
	},
	What: "Sends SIGTERM to a process that has outlived the end of its input. From level probe on, one process gets it while its input is still open. The process has to end within 5 s.",
	Why:  "The next step is SIGKILL, which leaves files half written and children without a parent.",
	Bad:  `SIGTERM  5 s later: still running, SIGKILL`,
	Good: `SIGTERM  10 ms later: ended`,
	Fix:  "Do not ignore SIGTERM. If there is a handler for it, let it end the process after the cleaning up.",
	Check: func(v *lint.View) {
		for _, s := range v.Steps(step.Terminate) {
			v.Saw()
			if s.Outcome == lint.Silent {
				failExit(v, s.Talk(), lint.Warning, "the process is still running 5 s after SIGTERM")
			}
		}
		for _, t := range v.Talks(step.Main) {
			switch exit := t.Exit(); {
			case exit == nil || t.Failure != "":
			case exit.After == terminate:
				v.Saw()
			case exit.After == kill:
				failExit(v, t, lint.Warning, "the process is still running 5 s after SIGTERM")
			}
		}
	},
}
