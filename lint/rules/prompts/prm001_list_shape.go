package prompts

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

var listShape = lint.Rule{
	ID: "PRM-001", Slug: "list-shape",
	Title:    "every prompt has a name, and so has each of its arguments",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Passive, Needs: "prompts",
	Rests: []lint.Clause{{Revisions: lint.All, Page: "server/prompts#data-types", Demand: "A prompt has a name, and may have arguments, which have names and may be required."}},
	What:  "Reads prompts/list to its end. The result has an array prompts; each element has a string name; arguments, if there are any, are an array of objects with a string name; required is a boolean.",
	Why:   "Clients make menus and forms of this list. A typed client refuses all of it when one entry has another shape.",
	Bad:   `{"prompts":[{"name":"review","arguments":{"code":{"required":"yes"}}}]}`,
	Good:  `{"prompts":[{"name":"review","arguments":[{"name":"code","required":true}]}]}`,
	Fix:   "Give every prompt and argument a name, list arguments in an array, and write required as true or false.",
	Check: func(v *lint.View) {
		for _, s := range v.Steps(step.List) {
			if s.About != mcp.MethodListPrompts {
				continue
			}
			if answer := s.Answer(); answer != nil && answer.HasResult() {
				v.Saw()
				if rawjson.KindOf(lint.Member(answer.Result, "prompts")) != rawjson.Array {
					v.Failf(answer, lint.Subject{Kind: "method", Name: s.About}, "the result has no array prompts")
				}
			}
		}
		for _, item := range v.Items(mcp.MethodListPrompts) {
			checkPrompt(v, item)
		}
	},
}

func checkPrompt(v *lint.View, item lint.Item) {
	if _, ok := lint.Text(lint.Member(item.Raw, "name")); !ok {
		failAt(v, item, argument{}, "has no string name")
	}
	if list := lint.Member(item.Raw, "arguments"); list != nil && rawjson.KindOf(list) != rawjson.Array {
		failAt(v, item, argument{at: "/arguments"}, "the arguments are no array")
	}
	for _, a := range arguments(item) {
		if _, ok := lint.Text(lint.Member(a.raw, "name")); !ok {
			failAt(v, item, a, "an argument has no string name")
		}
		if required := lint.Member(a.raw, "required"); required != nil && rawjson.KindOf(required) != rawjson.Bool {
			failAt(v, item, a, "required is no boolean")
		}
	}
}
