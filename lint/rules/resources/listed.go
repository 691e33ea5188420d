package resources

import (
	"fmt"

	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// methods are the two lists of this category.
var methods = []string{mcp.MethodListResources, mcp.MethodListResourceTemplates}

// listed are the resources and templates of all main talks.
func listed(v *lint.View) []lint.Item {
	return append(v.Items(mcp.MethodListResources), v.Items(mcp.MethodListResourceTemplates)...)
}

// listedAs finds the resource with a URI in the list of the same era.
func listedAs(v *lint.View, modern bool, uri string) (lint.Item, bool) {
	for _, t := range v.Talks(step.Main) {
		if t.Modern != modern {
			continue
		}
		for _, item := range t.Items(step.List, mcp.MethodListResources) {
			if item.Name == uri {
				return item, true
			}
		}
	}
	return lint.Item{}, false
}

// noneListed says that a rule is not about a server that was asked for its
// resources and has none.
func noneListed(v *lint.View) {
	if len(v.Items(mcp.MethodListResources)) > 0 {
		return
	}
	for _, t := range v.Talks(step.Main) {
		if first := t.Step(step.List, mcp.MethodListResources); first != nil && first.Answer() != nil && first.Answer().HasResult() {
			v.NotApplicable("the server lists no resources")
		}
	}
}

// failAt adds a finding about a place in a list: part is what follows the
// item's own pointer. Off stands for the severity of the rule.
func failAt(v *lint.View, severity lint.Severity, item lint.Item, part, format string, args ...any) {
	v.Fail(lint.Finding{
		Severity: severity, Subject: item.Subject(), Pointer: item.Pointer + part, Message: fmt.Sprintf(format, args...),
		Evidence: item.Evidence(), Revision: item.Message.Talk().Revision,
	})
}
