package tools

import (
	"regexp"

	"mcpworks/lint"
)

var annotationConflict = lint.Rule{
	ID: "TOOL-017", Slug: "annotation-conflict",
	Title:    "a read-only tool does not look like one that changes something",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.All &^ lint.A, Level: lint.Static, Needs: "tools",
	What: "Looks at tools with readOnlyHint true: destructiveHint is not true as well, and the name does not begin with create, update, delete, remove, write, insert, drop, send or set and a separator.",
	Why:  "Clients run read-only tools without asking. If the hint is wrong, something is changed or sent that the user never agreed to.",
	Bad:  `{"name":"delete_file","annotations":{"readOnlyHint":true}}`,
	Good: `{"name":"delete_file","annotations":{"readOnlyHint":false,"destructiveHint":true}}`,
	Fix:  "Correct the hint, or the name.",
	Check: func(v *lint.View) {
		v.NotApplicable("no tool is marked as read-only")
		for _, item := range listed(v) {
			if !hint(item, "readOnlyHint") {
				continue
			}
			v.Saw()
			if hint(item, "destructiveHint") {
				failItem(v, item, "/annotations", "is marked as read-only and as destructive")
			}
			if mutating.MatchString(item.Name) {
				failItem(v, item, "/annotations", "is marked as read-only, but has the name of one that changes something")
			}
		}
	},
}

var mutating = regexp.MustCompile(`(?i)^(create|update|delete|remove|write|insert|drop|send|set)[_./: -]`)

// hint says whether an annotation is true.
func hint(item lint.Item, name string) bool {
	return string(lint.Member(item.Raw, "annotations", name)) == "true"
}
