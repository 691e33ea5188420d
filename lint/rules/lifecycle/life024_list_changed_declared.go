package lifecycle

import (
	"mcpworks/lint"
	"mcpworks/mcp"
)

var listChangedDeclared = lint.Rule{
	ID: "LIFE-024", Slug: "list-changed-declared",
	Title:    "list_changed notifications are only sent if their flag is declared",
	Severity: lint.Warning, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Passive,
	Rests: []lint.Clause{
		{Revisions: lint.Legacy, Page: "basic/lifecycle#capability-negotiation", Demand: "The flag listChanged stands for support of notifications about changed lists."},
		{Revisions: lint.All, Page: "server/tools#capabilities", Demand: "listChanged says whether the server announces that its tools have changed."},
		{Revisions: lint.All, Page: "server/resources#capabilities", Demand: "listChanged says whether the server announces that its resources have changed."},
		{Revisions: lint.All, Page: "server/prompts#capabilities", Demand: "listChanged says whether the server announces that its prompts have changed."},
	},
	What: "Looks at all notifications of the server. For notifications/tools/list_changed the flag tools.listChanged has to be true, and so on for resources and prompts.",
	Why:  "Clients listen for what is declared. They ignore the notification, and the user goes on with the old list.",
	Bad: `"capabilities":{"tools":{}}
← {"method":"notifications/tools/list_changed"}`,
	Good: `"capabilities":{"tools":{"listChanged":true}}
← {"method":"notifications/tools/list_changed"}`,
	Fix: "Declare listChanged, or do not send the notification.",
	Check: func(v *lint.View) {
		flag := map[string]string{
			mcp.NotifyToolsChanged:     "tools.listChanged",
			mcp.NotifyResourcesChanged: "resources.listChanged",
			mcp.NotifyPromptsChanged:   "prompts.listChanged",
		}
		for _, m := range described(v) {
			v.Saw()
			if name := m.MethodName(); m.Kind == lint.Notification && flag[name] != "" && !m.Talk().Declares(flag[name]) {
				v.Failf(m, lint.Subject{Kind: "method", Name: name}, "is sent, although %s is not declared", flag[name])
			}
		}
	},
}

// described are the messages of the server in talks whose capabilities are
// known.
func described(v *lint.View) []*lint.Message {
	var all []*lint.Message
	for _, m := range v.Received() {
		if m.Talk().Capabilities() != nil {
			all = append(all, m)
		}
	}
	return all
}
