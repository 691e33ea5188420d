package stdio

import (
	"fmt"

	"mcpworks/lint"
)

var stderrVolume = lint.Rule{
	ID: "STD-010", Slug: "stderr-volume",
	Title:    "less than 1 MiB is written to standard error during a run of the linter",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All, Transports: lint.Stdio, Level: lint.Probe,
	What: "Counts the bytes on standard error in all talks of the run together.",
	Why:  "Clients write it to a log file, which grows without bounds. One that does not read it makes the server stop as soon as the pipe is full.",
	Bad:  `1.4 MiB on standard error for a few dozen requests`,
	Good: `a line at the start, and one for each problem`,
	Fix:  "Lower the default log level, and do not log whole messages unless a flag asks for it.",
	Check: func(v *lint.View) {
		total, loudest := int64(0), (*lint.Talk)(nil)
		for _, t := range v.Talks() {
			v.Saw()
			if total += t.StderrBytes; loudest == nil || t.StderrBytes > loudest.StderrBytes {
				loudest = t
			}
		}
		if total >= stderrLimit {
			v.Fail(lint.Finding{
				Message: "1 MiB or more is written to standard error", Revision: loudest.Revision,
				Evidence: lint.Evidence{Talk: loudest.Phase, Note: fmt.Sprintf("%d bytes in all talks, %d of them in this one", total, loudest.StderrBytes)},
			})
		}
	},
}

const stderrLimit = 1 << 20
