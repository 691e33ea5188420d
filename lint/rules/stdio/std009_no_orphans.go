package stdio

import "mcpworks/lint"

var noOrphans = lint.Rule{
	ID: "STD-009", Slug: "no-orphans",
	Title:    "no child process survives the server",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.All, Transports: lint.Stdio, Level: lint.Passive,
	What: "Looks for processes of the server's group that are still running when the server has ended, by itself, by the end of its input or by SIGTERM. They are ended then.",
	Why:  "What is left behind holds memory, ports and locks, and adds up with every start of the client.",
	Bad:  `server: exit status 0   its browser: still running`,
	Good: `server: exit status 0   no other process in its group`,
	Fix:  "End child processes before the server ends, or have them end with it: close their input, or send them SIGTERM and wait.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks() {
			exit := t.Exit()
			if exit == nil || exit.After == kill {
				continue
			}
			v.Saw()
			if exit.Leftovers {
				failExit(v, t, lint.Warning, "processes that the server has started are still running when it has ended")
			}
		}
	},
}
