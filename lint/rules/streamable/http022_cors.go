package streamable

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var cors = lint.Rule{
	ID: "HTTP-022", Slug: "cors",
	Title:    "foreign web pages may not read the answers",
	Severity: lint.Error, Strength: lint.Quality,
	Revisions: anyRevision, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		other("Fetch Standard 3.3", "Access-Control-Allow-Origin names the origin whose pages may read a response, or all of them."),
	},
	What: "Sends requests with Origin: http://evil.example, among them the OPTIONS by which a browser asks for permission. No response may have Access-Control-Allow-Origin: * or the foreign origin. Together with Access-Control-Allow-Credentials: true it is an error, otherwise a warning.",
	Why:  "These headers tell the browser to hand the answer to the page. With * every page that the user visits can talk to the server and read what it says; with credentials it does so in the user's name.",
	Bad:  "Access-Control-Allow-Origin: *",
	Good: "Access-Control-Allow-Origin: https://app.example.com",
	Fix:  `Leave the CORS headers out, or list the origins that need access. Do not use cors() of Express, or CORSMiddleware with allow_origins=["*"], as they are.`,
	Check: func(v *lint.View) {
		for _, name := range []string{step.HTTPForeignOrigin, step.HTTPNullOrigin, step.HTTPPreflight} {
			for _, s := range judged(v, name) {
				v.Saw()
				x := response(s)
				allowed := x.Response.Get("Access-Control-Allow-Origin")
				if allowed == "" || allowed != "*" && allowed != x.Header.Get("Origin") {
					continue
				}
				if x.Response.Get("Access-Control-Allow-Credentials") == "true" {
					v.Failf(s, lint.Subject{}, "pages of foreign origins may use the server with the user's credentials")
				} else {
					v.FailAs(lint.Warning, s, lint.Subject{}, "pages of foreign origins may read the answers")
				}
			}
		}
	},
}
