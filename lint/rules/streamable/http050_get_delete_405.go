package streamable

import (
	"net/http"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var getDelete405 = lint.Rule{
	ID: "HTTP-050", Slug: "get-delete-405",
	Title:    "an endpoint of the modern era alone answers GET and DELETE with 405",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: lint.E, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		modern("earlier-streamable-http-revisions", "A server of this revision alone answers GET and DELETE on its endpoint with status 405."),
	},
	What: "Sends GET and DELETE to a server that speaks no legacy revision. Both have to get status 405.",
	Why:  "Older clients send them by habit. 405 tells them that there is no stream and no session; another status looks like a failure.",
	Bad: `GET /mcp
→ HTTP/1.1 404 Not Found`,
	Good: `GET /mcp
→ HTTP/1.1 405 Method Not Allowed
  Allow: POST`,
	Fix: "Answer everything but POST with 405 and Allow: POST.",
	Check: func(v *lint.View) {
		for _, t := range v.Record().Talks {
			if !t.Modern && t.Revision != "" || namesLegacy(t) {
				v.NotApplicable("the server speaks legacy revisions too")
				return
			}
		}
		for _, s := range judged(v, step.HTTPNoStreams) {
			v.Saw()
			if status := response(s).Status; status != http.StatusMethodNotAllowed {
				v.Failf(s, lint.Subject{Kind: "http method", Name: s.About}, "a method of earlier revisions is answered with status %d instead of 405", status)
			}
		}
	},
}

// namesLegacy says whether the server names legacy revisions among those it
// speaks, for when they were not tried.
func namesLegacy(t *lint.Talk) bool {
	for _, s := range t.StepsOf(step.Discover) {
		if answer := s.Answer(); answer != nil {
			for version := range rawjson.Elements(lint.Member(answer.Result, "supportedVersions")) {
				if text, _ := lint.Text(version); lint.Legacy.Has(text) {
					return true
				}
			}
		}
	}
	return false
}
