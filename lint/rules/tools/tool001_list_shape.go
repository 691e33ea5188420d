package tools

import (
	"strconv"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var listShape = lint.Rule{
	ID: "TOOL-001", Slug: "list-shape",
	Title:    "tools/list has an array of tools with names",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Passive, Needs: "tools",
	Rests: []lint.Clause{{Revisions: lint.All, Page: "server/tools#listing-tools", Demand: "The result has the array tools, and each tool a unique name."}},
	What:  "Looks at every page of tools/list: the member tools is an array, each element an object, and its member name a string that is not empty.",
	Why:   "Clients that check what they receive drop the whole list, so that one element makes all tools unusable.",
	Bad:   `{"tools":[{"name":"","inputSchema":{"type":"object"}}]}`,
	Good:  `{"tools":[{"name":"read_file","inputSchema":{"type":"object"}}]}`,
	Fix:   "Give every tool a name, and answer with an empty array if there are none.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks(step.Main) {
			for _, page := range pagesOf(t, step.List) {
				v.Saw()
				checkPage(v, page)
			}
		}
	},
}

func checkPage(v *lint.View, page *lint.Message) {
	tools := lint.Member(page.Result, "tools")
	if rawjson.KindOf(tools) != rawjson.Array {
		v.Failf(page, lint.Subject{}, "the member tools of the result is not an array")
		return
	}
	i, faults := 0, 0
	for raw := range rawjson.Elements(tools) {
		if fault := elementFault(raw); fault != "" {
			v.Failf(page, lint.Subject{Kind: "tool", Name: strconv.Itoa(i)}, "%s", fault)
			faults++
		}
		if i++; faults == maxFaults {
			return
		}
	}
}

func elementFault(raw []byte) string {
	name, ok := lint.Text(lint.Member(raw, "name"))
	switch {
	case rawjson.KindOf(raw) != rawjson.Object:
		return "is not an object"
	case !ok:
		return "has no name that is a string"
	case name == "":
		return "has an empty name"
	}
	return ""
}
