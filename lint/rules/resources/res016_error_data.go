package resources

import (
	"strings"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var errorData = lint.Rule{
	ID: "RES-016", Slug: "error-data",
	Title:    "the error for an unknown URI names the URI in its data",
	Severity: lint.Info, Strength: lint.Should,
	Revisions: lint.All, Level: lint.Probe, Needs: "resources",
	Rests: []lint.Clause{{Revisions: lint.All, Page: "server/resources#error-handling", Demand: "The error for a resource that does not exist carries the URI in data.uri."}},
	What:  "Reads a URI that no server has and looks at error.data of the answer, which should have the URI in its member uri. Data that names it elsewhere is accepted.",
	Why:   "A client that reads several resources at once, or a log far from it, has no other way to tell which of them is missing.",
	Bad:   `{"error":{"code":-32002,"message":"not found"}}`,
	Good:  `{"error":{"code":-32002,"message":"not found","data":{"uri":"db://x"}}}`,
	Fix:   `Add "data":{"uri":…} with the URI of the request to the error.`,
	Check: func(v *lint.View) {
		for _, answer := range v.Answers(step.ReadUnknown) {
			if !answer.IsError() || !notFound(answer) {
				v.NotVerified("the unknown URI was not refused as one (RES-007, RES-008)")
				continue
			}
			v.Saw()
			data := lint.Member(answer.Error, "data")
			named, _ := lint.Text(lint.Member(data, "uri"))
			if uri := resource(answer).Name; named != uri && !strings.Contains(string(data), uri) {
				v.Failf(answer, lint.Subject{}, "the error for an unknown URI does not name it in its data")
			}
		}
	},
}
