package sse

import (
	"net/http"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var deprecated = lint.Rule{
	ID: "SSE-008", Slug: "deprecated",
	Title:    "the server offers Streamable HTTP as well",
	Severity: lint.Info, Strength: lint.Should,
	Revisions: lint.B | lint.C | lint.D | lint.E, Transports: lint.SSE, Level: lint.Probe,
	Rests: []lint.Clause{
		{Revisions: lint.B | lint.C | lint.D, Page: keptPage, Demand: "The transport of 2024-11-05 is replaced by Streamable HTTP; a server may host both."},
		{Revisions: lint.E, Page: "deprecated", Demand: "HTTP+SSE is deprecated and may be removed."},
	},
	What: "Posts an initialize as Streamable HTTP has it to the address of the stream, and to its neighbour named mcp. One of them should answer.",
	Why:  "Clients drop the old transport one by one. It needs a connection that stays open for hours, which proxies and hosts that charge by time do not like.",
	Bad:  "POST /sse → 405, POST /mcp → 404",
	Good: "POST /mcp → 200 with the result of initialize",
	Fix:  "Offer Streamable HTTP, with the transport of the same SDK, and keep the old endpoints only for old clients.",
	Check: func(v *lint.View) {
		asked := steps(v, step.Beside)
		for _, s := range asked {
			v.Saw()
			for _, x := range s.Exchanges() {
				if x.Method == http.MethodPost && x.Status/100 == 2 && answersInitialize(s, x) {
					return
				}
			}
		}
		if len(asked) > 0 {
			v.Failf(asked[0], lint.Subject{}, "HTTP+SSE is the only transport that was found")
		}
	},
}

// answersInitialize says whether a message came back.
func answersInitialize(s *lint.Step, x *lint.Exchange) bool {
	for _, m := range s.Messages() {
		if m.HTTP == x && m.FromServer && m.Kind == lint.Response {
			return true
		}
	}
	return false
}
