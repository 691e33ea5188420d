package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"mcpworks/internal/printable"
	"mcpworks/lint"
)

// writeGitHub writes workflow commands, which become annotations of a job.
func writeGitHub(w io.Writer, runs []Run, opts Options) error {
	commands := map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Info: "notice"}
	out := bufio.NewWriter(w)
	for i := range runs {
		run := &runs[i]
		if run.Failure != "" {
			fmt.Fprintf(out, "::error title=mcplint::%s\n", githubText(run.Report.Record.Target.Shown+": "+run.Failure))
		}
		about := ""
		if len(runs) > 1 {
			about = run.Report.Record.Target.Shown + ": "
		}
		for _, g := range groups(run) {
			if !g.known {
				fmt.Fprintf(out, "::%s title=%s::%s\n", commands[g.first.Severity],
					githubProperty(g.first.RuleID+" "+g.first.Slug), githubText(about+g.subject()+": "+g.first.Message))
			}
		}
		fmt.Fprintln(out, printable.Line(textCounts(run, opts)))
	}
	return out.Flush()
}

// githubText is the part after the two colons.
var githubEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")

func githubText(text string) string { return githubEscapes.Replace(printable.Line(text)) }

// githubProperty is a value between them, where more has a meaning.
func githubProperty(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(githubText(text))
}
