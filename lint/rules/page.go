package rules

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"mcpworks/lint"
)

// Page is everything there is to say about a rule, in Markdown.
func Page(rule *lint.Rule) []byte {
	var page bytes.Buffer
	fmt.Fprintf(&page, "# %s: %s\n\nWhat must hold: %s.\n\n", rule.ID, rule.Name(), plain(rule.Title))
	page.WriteString("| | |\n|---|---|\n")
	for _, fact := range Facts(rule) {
		fmt.Fprintf(&page, "| %s | %s |\n", fact[0], plain(fact[1]))
	}
	fmt.Fprintf(&page, "\n## How it is checked\n\n%s\n\n## Why\n\n%s\n", plain(rule.What), plain(rule.Why))
	if len(rule.Rests) > 0 {
		page.WriteString("\n## What it rests on\n\n")
	}
	for _, clause := range rule.Rests {
		fmt.Fprintf(&page, "- %s (%s)\n", plain(clause.Demand), links(clause))
	}
	fmt.Fprintf(&page, "\n## Wrong\n\n%s\n## Right\n\n%s\n## What to do\n\n%s\n", fenced(rule.Bad), fenced(rule.Good), plain(rule.Fix))
	fmt.Fprintf(&page, "\n## Leaving it out\n\n%s\n", suppression("`"+SkipCommand(rule)+"`", "`--baseline FILE`"))
	return page.Bytes()
}

// Facts are what there is to know of a rule in a word or two each, by name.
func Facts(rule *lint.Rule) [][2]string {
	facts := [][2]string{
		{"severity", rule.Severity.String()},
		{"strength", rule.Strength.String()},
		{"revisions", rule.Revisions.String()},
		{"transports", rule.Transports.String()},
		{"level", rule.Level.String()},
	}
	if rule.Needs != "" {
		facts = append(facts, [2]string{"capability", rule.Needs})
	}
	if rule.SDKWide {
		facts = append(facts, [2]string{"common", "yes: a widely used SDK does it"})
	}
	if names := Foreign(rule); names != nil {
		facts = append(facts, [2]string{"also known as", strings.Join(names, ", ")})
	}
	return facts
}

// SkipCommand is how a rule is left out.
func SkipCommand(rule *lint.Rule) string { return "mcplint validate --skip " + rule.ID + " TARGET" }

// Suppression says how a rule is left out.
func Suppression(rule *lint.Rule) string { return suppression(SkipCommand(rule), "--baseline FILE") }

func suppression(skip, baseline string) string {
	return skip + " does not ask the rule; " + baseline + " keeps what is known from failing a run."
}

// Index lists rules by category, in Markdown. The address of a rule's page is
// what link says; without link there are no addresses.
func Index(rules []*lint.Rule, link func(*lint.Rule) string) []byte {
	var page bytes.Buffer
	for _, category := range Categories() {
		var rows bytes.Buffer
		for _, rule := range rules {
			if rule.Category() != category.ID {
				continue
			}
			id := rule.ID
			if link != nil {
				id = fmt.Sprintf("[%s](%s)", id, link(rule))
			}
			fmt.Fprintf(&rows, "| %s | %s | %v | %v | %v | %s |\n", id, rule.Slug, rule.Severity, rule.Strength, rule.Level, plain(rule.Title))
		}
		if rows.Len() > 0 {
			fmt.Fprintf(&page, "\n## %s (%s)\n\n| id | name | severity | strength | level | what must hold |\n|---|---|---|---|---|---|\n", category.Title, category.ID)
			page.Write(rows.Bytes())
		}
	}
	return page.Bytes()
}

var markup = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "|", `\|`, "&", `\&`, "~", `\~`, "\n", " ")

// plain makes a text mean itself in Markdown.
func plain(text string) string { return markup.Replace(text) }

// fenced is a block of code.
func fenced(code string) string {
	fence := "```"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	return fence + "text\n" + code + "\n" + fence + "\n"
}

// links are the addresses of a clause, one for each revision.
func links(clause lint.Clause) string {
	urls := clause.URLs()
	if len(urls) == 0 {
		return link(clause.Page, Address(clause))
	}
	var all []string
	for i, version := range clause.Revisions.Versions() {
		all = append(all, link(version, urls[i]))
	}
	return strings.Join(all, ", ")
}

func link(text, address string) string {
	if address == "" {
		return plain(text)
	}
	return "[" + plain(text) + "](" + address + ")"
}

var rfc = regexp.MustCompile(`^RFC (\d+)(?: ([0-9A-Z][0-9A-Z.]*))?$`)

// Address is where another specification than that of MCP is to be read; empty
// if that is not known. For MCP it is that of the newest revision.
func Address(clause lint.Clause) string {
	if urls := clause.URLs(); len(urls) > 0 {
		return urls[len(urls)-1]
	}
	number := rfc.FindStringSubmatch(clause.Page)
	switch {
	case number != nil && number[2] != "":
		return "https://www.rfc-editor.org/rfc/rfc" + number[1] + "#section-" + number[2]
	case number != nil:
		return "https://www.rfc-editor.org/rfc/rfc" + number[1]
	case strings.HasPrefix(clause.Page, "JSON-RPC 2.0"):
		return "https://www.jsonrpc.org/specification"
	case strings.HasPrefix(clause.Page, "https://"):
		return clause.Page
	}
	return ""
}
