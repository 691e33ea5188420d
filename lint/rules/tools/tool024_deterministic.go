package tools

import (
	"slices"

	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

var deterministic = lint.Rule{
	ID: "TOOL-024", Slug: "deterministic",
	Title:    "tools are always listed in the same order",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: lint.All, Level: lint.Passive, Needs: "tools",
	Rests: []lint.Clause{{Revisions: lint.E, Page: "server/tools#capabilities", Demand: "The order of tools is deterministic as long as the set of tools is the same."}},
	What:  "Compares the order of the names in two lists of one connection, and at the level probe in that of another connection. Only noted before 2026-07-28. Lists with different tools are the matter of TOOL-019.",
	Why:   "The list is at the beginning of what a model reads. If its order changes, nothing after it can be taken from the cache of the model API, and every request costs full price.",
	Bad:   `{"tools":[{"name":"a"},{"name":"b"}]} and then {"tools":[{"name":"b"},{"name":"a"}]}`,
	Good:  `{"tools":[{"name":"a"},{"name":"b"}]} every time`,
	Fix:   "Keep tools in a list, or sort them by name before answering; maps have no order in many languages.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks(step.Main) {
			first := names(t, step.List)
			if len(pagesOf(t, step.List)) > 0 && len(first) < 2 {
				v.NotApplicable("there are fewer than two tools")
				continue
			}
			compareOrder(v, t, first, names(t, step.ListAgain), "the order of tools is another in the second list")
			for _, other := range v.Talks(step.Tools) {
				if other.Modern == t.Modern {
					compareOrder(v, other, first, names(other, step.List), "the order of tools is another in a second connection")
				}
			}
		}
	},
}

func names(t *lint.Talk, stepName string) []string {
	var list []string
	for _, item := range t.Items(stepName, mcp.MethodListTools) {
		list = append(list, item.Name)
	}
	return list
}

func compareOrder(v *lint.View, t *lint.Talk, first, second []string, message string) {
	if len(first) != len(second) || !slices.Equal(slices.Sorted(slices.Values(first)), slices.Sorted(slices.Values(second))) {
		return
	}
	v.Saw()
	if slices.Equal(first, second) {
		return
	}
	severity := lint.Info
	if lint.Modern.Has(t.Revision) {
		severity = lint.Warning
	}
	source := pagesOf(t, step.List)
	if again := pagesOf(t, step.ListAgain); len(again) > 0 {
		source = again
	}
	v.FailAs(severity, source[0], lint.Subject{}, "%s", message)
}
