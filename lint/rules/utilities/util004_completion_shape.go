package utilities

import (
	"slices"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var completionShape = lint.Rule{
	ID: "UTIL-004", Slug: "completion-shape",
	Title:    "a completion has at most 100 values, all of them strings",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.All, Page: "server/utilities/completion#completion-results", Demand: "An answer has up to 100 values, and may say how many there are in total and whether there are more."}},
	What:  "Asks with completion/complete for values of the first argument of a prompt, or else of the first variable of a template. The result has completion.values, an array of at most 100 strings; total is an integer and hasMore a boolean, if they are there.",
	Why:   "Clients put the values into a menu while people type. Other types are not shown, and a typed client drops the whole answer.",
	Bad:   `{"completion":{"values":[{"value":"python"}],"total":"1"}}`,
	Good:  `{"completion":{"values":["python","pytorch"],"total":2,"hasMore":false}}`,
	Fix:   "Return plain strings, cut the list at 100, and set hasMore when there are others.",
	Check: func(v *lint.View) {
		for _, answer := range completions(v, step.Complete) {
			if answer.HasResult() {
				v.Saw()
				checkCompletion(v, answer)
			} else {
				v.NotVerified("the completion was refused with error %d", answer.Code())
			}
		}
	},
}

const maxValues = 100

func checkCompletion(v *lint.View, answer *lint.Message) {
	completion := lint.Member(answer.Result, "completion")
	values := lint.Member(completion, "values")
	if rawjson.KindOf(values) != rawjson.Array {
		v.Failf(answer, lint.Subject{}, "the result has no array completion.values")
		return
	}
	all := slices.Collect(rawjson.Elements(values))
	if len(all) > maxValues {
		v.Failf(answer, lint.Subject{}, "a completion has more than %d values", maxValues)
	}
	if slices.ContainsFunc(all, func(value []byte) bool { return rawjson.KindOf(value) != rawjson.StringKind }) {
		v.Failf(answer, lint.Subject{}, "a value of a completion is no string")
	}
	if total := lint.Member(completion, "total"); total != nil && !rawjson.IsInteger(total) {
		v.Failf(answer, lint.Subject{}, "the total of a completion is no integer")
	}
	if more := lint.Member(completion, "hasMore"); more != nil && rawjson.KindOf(more) != rawjson.Bool {
		v.Failf(answer, lint.Subject{}, "hasMore of a completion is no boolean")
	}
}
