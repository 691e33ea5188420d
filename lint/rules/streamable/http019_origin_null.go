package streamable

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var originNull = lint.Rule{
	ID: "HTTP-019", Slug: "origin-null",
	Title:    "a request with Origin: null is refused",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.All, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		other("HTML Standard 7.1.1", "The origin of sandboxed frames, of data URLs and of local files is written as null."),
	},
	What: "Sends the request with Origin: null. It has to be refused.",
	Why:  "Any web page can give itself the origin null by putting its script into a sandboxed frame. A server that lets null pass lets every page pass.",
	Bad: `POST ping
Origin: null
→ HTTP/1.1 200 OK`,
	Good: `POST ping
Origin: null
→ HTTP/1.1 403 Forbidden`,
	Fix: "Treat the value null as any other foreign origin and answer 403.",
	Check: func(v *lint.View) {
		for _, s := range judged(v, step.HTTPNullOrigin) {
			v.Saw()
			if served(s) {
				v.Failf(s, lint.Subject{}, "a request with Origin: null is served")
			}
		}
	},
}
