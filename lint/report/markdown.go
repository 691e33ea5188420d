package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"mcpworks/internal/printable"
	"mcpworks/lint"
)

func writeMarkdown(w io.Writer, runs []Run, opts Options) error {
	out := bufio.NewWriter(w)
	for i := range runs {
		markdownRun(out, &runs[i], opts)
	}
	return out.Flush()
}

func markdownRun(out *bufio.Writer, run *Run, opts Options) {
	fmt.Fprintf(out, "## mcplint: %s\n\n", inline(headline(run)))
	if run.Failure != "" {
		fmt.Fprintf(out, "Not checked to the end: %s\n\n", inline(run.Failure))
	}
	if all := groups(run); len(all) > 0 {
		fmt.Fprintln(out, "| severity | rule | subject | finding |\n| --- | --- | --- | --- |")
		for _, g := range all {
			fmt.Fprintf(out, "| %v | %s | %s | %s |\n", g.first.Severity, g.first.RuleID, inline(g.subject()), inline(g.first.Message))
		}
		fmt.Fprintln(out)
	}
	for _, result := range run.Report.Results {
		if result.Status == lint.NotVerified && opts.Verbose {
			fmt.Fprintf(out, "- not verified: %s, %s\n", result.Rule.ID, inline(result.Reason))
		}
	}
	fmt.Fprintf(out, "%s.\n", textCounts(run, opts))
}

// inline makes a text safe within a line of Markdown: nothing of it is markup.
func inline(text string) string {
	var b strings.Builder
	for _, r := range printable.Line(text) {
		if strings.ContainsRune("\\`*_{}[]<>()#+!|~&@", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
