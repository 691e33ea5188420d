package tools

import (
	"regexp"

	"mcpworks/lint"
)

var nameChars = lint.Rule{
	ID: "TOOL-004", Slug: "name-chars",
	Title:    "names of tools are of letters, digits, _, - and .",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	Rests: []lint.Clause{{Revisions: lint.D | lint.E, Page: "server/tools#tool-names", Demand: "Names have 1 to 128 characters: ASCII letters and digits, underscore, hyphen and dot."}},
	What:  "Compares the name of every tool with ^[A-Za-z0-9_.-]{1,128}$. Before 2025-11-25, when nothing was said about names, it is only noted.",
	Why:   "Clients make identifiers of names. Blanks, slashes and other letters are replaced or refused, and then the tool cannot be found again.",
	Bad:   `{"name":"read file"}`,
	Good:  `{"name":"read_file","title":"read file"}`,
	Fix:   "Rename the tool; the title is for people.",
	Check: func(v *lint.View) {
		for _, item := range listed(v) {
			if item.Name == "" {
				continue // TOOL-001
			}
			v.Saw()
			if !specified.MatchString(item.Name) {
				severity := lint.Warning
				if !(lint.D | lint.E).Has(revisionOf(item)) {
					severity = lint.Info
				}
				failItemAs(v, severity, item, "/name", "the name is not of 1 to 128 letters, digits, _, - and .")
			}
		}
	},
}

var specified = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)
