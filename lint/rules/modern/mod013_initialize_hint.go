package modern

import (
	"strings"

	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

var initializeHint = lint.Rule{
	ID: "MOD-013", Slug: "initialize-hint",
	Title:    "a server without legacy revisions says so to clients that know no others",
	Severity: lint.Info, Strength: lint.Should,
	Revisions: lint.E, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic/versioning#backward-compatibility-with-initialization-based-versions", Demand: "A server that speaks modern versions only should name them in its error to an initialize request."}},
	What:  "Sends initialize of 2025-11-25 as the first message to a server that speaks no legacy revision. The answer, in the text of the error or its data, has to name a version that the server speaks.",
	Why:   "An older client shows this text to its user, who gets to know nothing else. The versions in it say what to update.",
	Bad:   `{"error":{"code":-32601,"message":"Method not found"}}`,
	Good:  `{"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"2025-11-25"}}}`,
	Fix:   "Answer initialize with error -32022 and data.supported.",
	Check: func(v *lint.View) {
		if dual(v) {
			v.NotApplicable("the server speaks legacy revisions")
			return
		}
		for _, s := range v.Steps(step.InitializeModern) {
			if got := answer(s); got != nil && got.HasResult() {
				v.NotApplicable("the server answers initialize")
				continue
			}
			v.Saw()
			switch text := refusal(s); {
			case text == "":
				v.Failf(s, lint.Subject{}, "initialize is not answered")
			case !namesVersion(v, text):
				v.Failf(s, lint.Subject{}, "initialize is refused without naming the versions that the server speaks")
			}
		}
	},
}

// refusal is what came back: the error, or over HTTP the body that should have
// been one.
func refusal(s *lint.Step) string {
	if got := answer(s); got != nil {
		return string(got.Error)
	}
	if x := s.Exchange(); x != nil {
		return string(x.Answer)
	}
	return ""
}

func namesVersion(v *lint.View, text string) bool {
	versions := []string{mcp.V20260728.Version}
	for _, m := range discoveries(v) {
		more, _ := texts(lint.Member(m.Result, "supportedVersions"))
		versions = append(versions, more...)
	}
	for _, version := range versions {
		if version != "" && strings.Contains(text, version) {
			return true
		}
	}
	return false
}
