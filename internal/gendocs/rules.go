package gendocs

import (
	"mcpworks/lint"
	"mcpworks/lint/rules"
)

const rulesIntroduction = `# Rules

What ` + "`mcplint validate`" + ` checks. Rendered from the rules themselves; ` + "`go test ./internal/gendocs -update`" + ` writes it anew.

The severity says how bad a finding is, the strength what the rule rests on: a MUST or a SHOULD of the specification, or
good practice (quality). The level is what has to be sent to find out: nothing (static), what every client sends
(passive), messages that cannot run a tool (probe), calls of tools that only read (call).
`

// Rules renders the pages of all rules, by the names of their files: one for
// each, and an index.
func Rules() map[string][]byte {
	all := rules.All()
	pages := map[string][]byte{
		"README.md": append([]byte(rulesIntroduction), rules.Index(all, rulePage)...),
	}
	for _, rule := range all {
		pages[rulePage(rule)] = rules.Page(rule)
	}
	return pages
}

func rulePage(rule *lint.Rule) string { return rule.ID + ".md" }
