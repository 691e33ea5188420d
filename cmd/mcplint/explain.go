package main

import (
	"context"
	"fmt"
	"strings"

	"mcpworks/internal/cmdline"
	"mcpworks/lint"
	"mcpworks/lint/rules"
)

const explainHelp = `Explains a rule: what must hold, how it is checked, why, what the specification says, what to do. Nothing is sent
anywhere.

Usage: mcplint explain [OPTIONS] RULE

Examples:
  mcplint explain LIFE-003
  mcplint explain life/version-echo
  mcplint explain --format markdown rs:PROTO-001

A rule goes by its id, by its name with or without the category, and by its id in mcplint-rs with rs: before it.
mcplint rules lists all of them.

Options:
  -f, --format FORMAT        text (default), json or markdown
  -o, --output FILE          Write the result to FILE
  -h, --help                 Print this help
  -V, --version              Print the version

Exit codes:
  0  The explanation is on standard output
  2  Bad command line, no such rule, or it could not be written
`

func explainVerb() verb {
	return verb{run: explain, Verb: cmdline.Verb{
		Name: "explain", Help: explainHelp, Operands: []string{"RULE"},
		Options: []cmdline.Option{{Name: optFormat, Kind: cmdline.Text, Choices: readable}, {Name: optOutput, Kind: cmdline.Path}},
	}}
}

func explain(_ context.Context, c *call) ([]byte, error) {
	rule, err := rules.Find(c.Operands[0])
	if err != nil {
		return nil, unknownName(err)
	}
	switch c.Value(optFormat) {
	case formatJSON:
		o := beginRule(nil, rule)
		o.String("what", rule.What)
		o.String("why", rule.Why)
		o.String("bad", rule.Bad)
		o.String("good", rule.Good)
		o.String("fix", rule.Fix)
		o.String("suppress", rules.Suppression(rule))
		return pretty(o.End()), nil
	case formatMarkdown:
		return rules.Page(rule), nil
	}
	return []byte(explained(rule)), nil
}

// explained is everything about a rule, for a terminal.
func explained(rule *lint.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n\n%s\n\n", rule.ID, rule.Name(), wrapped(rule.Title, "  "))
	for _, fact := range rules.Facts(rule) {
		fmt.Fprintf(&b, "  %-13s  %s\n", fact[0], fact[1])
	}
	fmt.Fprintf(&b, "\nHow it is checked\n%s\n\nWhy\n%s\n", wrapped(rule.What, "  "), wrapped(rule.Why, "  "))
	if len(rule.Rests) > 0 {
		b.WriteString("\nWhat it rests on\n")
	}
	for _, clause := range rule.Rests {
		fmt.Fprintf(&b, "%s\n", wrapped(clause.Demand, "  "))
		source := clause.Page
		if address := rules.Address(clause); address != "" {
			source = address
		}
		if versions := clause.Revisions.Versions(); len(versions) > 1 {
			source += " (also " + strings.Join(versions[:len(versions)-1], ", ") + ")"
		}
		fmt.Fprintf(&b, "    %s\n", source)
	}
	fmt.Fprintf(&b, "\nWrong\n%s\n\nRight\n%s\n\nWhat to do\n%s\n", indented(rule.Bad), indented(rule.Good), wrapped(rule.Fix, "  "))
	fmt.Fprintf(&b, "\nLeaving it out\n%s\n", wrapped(rules.Suppression(rule), "  "))
	return b.String()
}

func indented(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }

// lineWidth is how wide text is on a terminal.
const lineWidth = 100

// wrapped breaks a text into lines that begin with an indent.
func wrapped(text, indent string) string {
	var b strings.Builder
	width := 0
	for _, word := range strings.Fields(text) {
		switch {
		case width == 0:
			b.WriteString(indent)
			width = len(indent)
		case width+1+len(word) > lineWidth:
			b.WriteString("\n" + indent)
			width = len(indent)
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += len(word)
	}
	return b.String()
}
