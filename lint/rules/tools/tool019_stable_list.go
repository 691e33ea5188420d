package tools

import (
	"bytes"

	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

var stableList = lint.Rule{
	ID: "TOOL-019", Slug: "stable-list",
	Title:    "two lists in a row are the same",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Passive, Needs: "tools",
	What: "Asks for the list of tools twice in one connection and compares the tools by name, whatever their order. If the server has announced a change with notifications/tools/list_changed, nothing is compared.",
	Why:  "Clients read the list once. A tool that comes, goes or changes without notice is called in the way that held before, and what the user approved is no longer what runs.",
	Bad:  `{"tools":[{"name":"search"}]} and then {"tools":[]}`,
	Good: `{"tools":[{"name":"search"}]} twice`,
	Fix:  "Register tools before the server answers, and send notifications/tools/list_changed when they change.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks(step.Main) {
			if !complete(t, step.List) || !complete(t, step.ListAgain) {
				v.NotVerified("the list was not read twice")
				continue
			}
			if announced(t) {
				v.NotApplicable("the server has announced a change of the list")
				continue
			}
			v.Saw()
			compareLists(v, t)
		}
	},
}

// complete says whether a list was read to its end.
func complete(t *lint.Talk, stepName string) bool {
	pages := pagesOf(t, stepName)
	if len(pages) == 0 {
		return false
	}
	_, more := lint.Text(lint.Member(pages[len(pages)-1].Result, "nextCursor"))
	return !more
}

// announced says whether the server has said that its tools have changed.
func announced(t *lint.Talk) bool {
	for _, m := range t.Messages() {
		if m.FromServer && m.Kind == lint.Notification && m.MethodName() == mcp.NotifyToolsChanged {
			return true
		}
	}
	return false
}

func compareLists(v *lint.View, t *lint.Talk) {
	before, twins := map[string]lint.Item{}, map[string]bool{}
	for _, item := range t.Items(step.List, mcp.MethodListTools) {
		if _, known := before[item.Name]; known {
			twins[item.Name] = true // TOOL-003
		}
		before[item.Name] = item
	}
	again := map[string]bool{}
	for _, item := range t.Items(step.ListAgain, mcp.MethodListTools) {
		again[item.Name] = true
		if first, ok := before[item.Name]; !ok {
			failItem(v, item, "", "is only in the second of two lists")
		} else if !twins[item.Name] && !bytes.Equal(first.Raw, item.Raw) && !bytes.Equal(canonical(first.Raw), canonical(item.Raw)) {
			failItem(v, item, "", "is different in the second of two lists")
		}
	}
	for _, item := range t.Items(step.List, mcp.MethodListTools) {
		if !again[item.Name] {
			failItem(v, item, "", "is only in the first of two lists")
		}
	}
}
