package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"mcpworks/internal/printable"
	"mcpworks/lint"
)

func writeText(w io.Writer, runs []Run, opts Options) error {
	out := bufio.NewWriter(w)
	for i := range runs {
		if i > 0 {
			fmt.Fprintln(out)
		}
		textRun(out, &runs[i], opts)
	}
	return out.Flush() // has the error of all writes
}

func textRun(out *bufio.Writer, run *Run, opts Options) {
	fmt.Fprintln(out, printable.Line(headline(run)))
	if run.Failure != "" {
		fmt.Fprintf(out, "not checked to the end: %s\n", printable.Line(run.Failure))
	}
	category := ""
	folded := map[string]int{}
	for _, g := range textGroups(run) {
		rule := run.ruleOf(g.first)
		if rule.SDKWide && !opts.Verbose && g.first.Severity == lint.Info {
			folded[rule.ID] += len(g.findings)
			continue
		}
		if g.first.Category != category {
			category = g.first.Category
			fmt.Fprintf(out, "\n%s\n", category)
		}
		textGroup(out, g, rule, opts)
	}
	textFolded(out, run, folded)
	textLeftOut(out, run)
	textUnverified(out, run, opts)
	textStale(out, run)
	fmt.Fprintf(out, "\n%s\n", textCounts(run, opts))
}

// headline says what was checked.
func headline(run *Run) string {
	s := Summarize(run.Report.Record)
	parts := []string{s.Target}
	if s.Transport != "" {
		parts = append(parts, s.Transport, strings.Join(s.Eras, " and "), strings.Join(s.Revisions, " and "), s.server(),
			fmt.Sprintf("%s, %s, %s, %s", count(s.Tools, "tool"), count(s.Resources, "resource"), count(s.Templates, "template"), count(s.Prompts, "prompt")))
	}
	if s.Tokens > 0 {
		parts = append(parts, fmt.Sprintf("about %d tokens", s.Tokens))
	}
	return strings.Join(parts, " · ")
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// textGroups has the groups by category, in the order in which the categories
// have their worst findings.
func textGroups(run *Run) []*group {
	var order []string
	byCategory := map[string][]*group{}
	for _, g := range groups(run) {
		category := g.first.Category
		if byCategory[category] == nil {
			order = append(order, category)
		}
		byCategory[category] = append(byCategory[category], g)
	}
	var all []*group
	for _, category := range order {
		all = append(all, byCategory[category]...)
	}
	return all
}

func textGroup(out *bufio.Writer, g *group, rule *lint.Rule, opts Options) {
	note := ""
	if g.known {
		note = " (in the baseline)"
	}
	fmt.Fprintf(out, "  %-7s  %-8s  %s  %s%s\n", g.first.Severity, g.first.RuleID, printable.Line(g.subject()), printable.Line(g.first.Message), note)
	if opts.Verbose {
		textEvidence(out, g.first.Evidence)
	}
	if opts.Explain {
		fmt.Fprintf(out, "           why: %s\n           fix: %s\n", rule.Why, g.first.Fix)
		if g.first.SpecRef != "" {
			fmt.Fprintf(out, "           see: %s\n", g.first.SpecRef)
		}
	}
}

func textEvidence(out *bufio.Writer, e lint.Evidence) {
	for _, piece := range []struct{ mark, text string }{
		{"in", strings.Trim(e.Talk+", "+e.Step, ", ")}, {">", e.Sent}, {"<", e.Received}, {"note", e.Note},
	} {
		for line := range strings.Lines(printable.Block(piece.text)) {
			fmt.Fprintf(out, "           %s %s\n", piece.mark, strings.TrimRight(line, "\n"))
		}
	}
}

// textFolded has one line for what most servers have in common.
func textFolded(out *bufio.Writer, run *Run, folded map[string]int) {
	var ids []string
	for _, result := range run.Report.Results {
		if folded[result.Rule.ID] > 0 {
			ids = append(ids, result.Rule.ID)
		}
	}
	if len(ids) > 0 {
		fmt.Fprintf(out, "\nas most servers, by their SDK: %s (-v shows them)\n", strings.Join(ids, ", "))
	}
}

// textLeftOut names the rules that have found more than what is kept.
func textLeftOut(out *bufio.Writer, run *Run) {
	for _, result := range run.Report.Results {
		if result.Status == lint.Fail && result.Reason != "" {
			fmt.Fprintf(out, "\n%s: %s\n", result.Rule.ID, result.Reason)
		}
	}
}

// textUnverified lists what could not be checked, by its reason.
func textUnverified(out *bufio.Writer, run *Run, opts Options) {
	reasons := map[string][]string{}
	var order []string
	for _, result := range run.Report.Results {
		if result.Status == lint.NotVerified {
			if reasons[result.Reason] == nil {
				order = append(order, result.Reason)
			}
			reasons[result.Reason] = append(reasons[result.Reason], result.Rule.ID)
		}
	}
	if len(order) == 0 {
		return
	}
	fmt.Fprintln(out, "\nnot verified")
	for _, reason := range order {
		ids := reasons[reason]
		if shown := 8; len(ids) > shown && !opts.Verbose {
			ids = append(ids[:shown:shown], fmt.Sprintf("and %d more", len(ids)-shown))
		}
		fmt.Fprintf(out, "  %s: %s\n", printable.Line(reason), strings.Join(ids, ", "))
	}
}

func textStale(out *bufio.Writer, run *Run) {
	if len(run.Stale) > 0 {
		fmt.Fprintf(out, "\nin the baseline but not found any more: %s\n", printable.Line(strings.Join(run.Stale, ", ")))
	}
}

func textCounts(run *Run, opts Options) string {
	report := run.Report
	s := Summarize(report.Record)
	text := fmt.Sprintf("%s, %s, %s; %s passed, %d not applicable, %d not verified, %d skipped; level %v, %s sent in %s",
		count(report.CountFindings(lint.Error), "error"), count(report.CountFindings(lint.Warning), "warning"), count(report.CountFindings(lint.Info), "info"),
		count(report.Count(lint.Pass), "rule"), report.Count(lint.NotApplicable), report.Count(lint.NotVerified), report.Count(lint.Skipped),
		report.Record.Level, count(s.Messages, "message"), count(s.Talks, "connection"))
	if opts.Times {
		text += fmt.Sprintf(", %v", run.Took.Round(10*time.Millisecond))
	}
	return text
}
