package resources

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

var listShape = lint.Rule{
	ID: "RES-001", Slug: "list-shape",
	Title:    "every resource has a uri and a name, every template a uriTemplate and a name",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Passive, Needs: "resources",
	Rests: []lint.Clause{{Revisions: lint.All, Page: "server/resources#data-types", Demand: "A resource is defined by a URI and a name, a template by a URI template and a name."}},
	What:  "Reads resources/list and resources/templates/list to their ends. The result has an array resources or resourceTemplates; each of its elements has a string uri, or uriTemplate, and a string name.",
	Why:   "Clients show the name and read by the URI. A typed client refuses the whole list when one entry lacks a member, so that no resource of the server is usable.",
	Bad:   `{"resources":[{"uri":"file:///notes.txt"}]}`,
	Good:  `{"resources":[{"uri":"file:///notes.txt","name":"notes.txt"}]}`,
	Fix:   "Give every resource uri and name, and every template uriTemplate and name.",
	Check: func(v *lint.View) {
		for _, s := range v.Steps(step.List) {
			member := listMember[s.About]
			if member == "" {
				continue
			}
			if answer := s.Answer(); answer != nil && answer.HasResult() {
				v.Saw()
				if rawjson.KindOf(lint.Member(answer.Result, member)) != rawjson.Array {
					v.Failf(answer, lint.Subject{Kind: "method", Name: s.About}, "the result has no array %s", member)
				}
			}
		}
		for _, item := range listed(v) {
			for _, member := range []string{addressMember(item), "name"} {
				if _, ok := lint.Text(lint.Member(item.Raw, member)); !ok {
					failAt(v, lint.Off, item, "", "has no string %s", member)
				}
			}
		}
	},
}

// listMember has the member that holds the list, by method.
var listMember = map[string]string{
	mcp.MethodListResources:         "resources",
	mcp.MethodListResourceTemplates: "resourceTemplates",
}

func addressMember(item lint.Item) string {
	if item.Subject().Kind == "template" {
		return "uriTemplate"
	}
	return "uri"
}
