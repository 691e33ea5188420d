package streamable

import (
	"net/http"
	"slices"

	"mcpworks/lint"
)

var noResponseOnGet = lint.Rule{
	ID: "HTTP-031", Slug: "no-response-on-get",
	Title:    "responses do not appear on a stream that was opened with GET",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: withSessions, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		legacy("listening-for-messages-from-the-server", "A stream that was opened with GET has no responses, unless it resumes the stream of a request."),
	},
	What: "Keeps streams open that were begun with GET, without Last-Event-ID, and sends requests meanwhile. None of the responses may appear on those streams.",
	Why:  "A client looks for the answer to a request in the response to its POST. An answer on another stream is lost, and the request runs into its time-out.",
	Bad:  `GET stream: data: {"jsonrpc":"2.0","id":3,"result":{}}`,
	Good: `response to the POST: data: {"jsonrpc":"2.0","id":3,"result":{}}`,
	Fix:  "Write each response into the HTTP response of the POST that carried its request.",
	Check: func(v *lint.View) {
		open := false
		for _, t := range v.Talks() {
			streams := listening(t)
			open = open || len(streams) > 0
			for range streams {
				v.Saw()
			}
			for _, m := range t.Messages() {
				if m.FromServer && m.Kind == lint.Response && m.HTTP != nil && slices.Contains(streams, m.HTTP) {
					v.Failf(m, lint.Subject{}, "a response appears on a stream that was opened with GET")
				}
			}
		}
		if !open {
			v.NotApplicable("the server offers no stream by GET")
		}
	},
}

// listening are the streams of a talk that were opened with GET and begin anew.
func listening(t *lint.Talk) []*lint.Exchange {
	var open []*lint.Exchange
	for _, s := range t.Steps {
		for _, x := range s.Exchanges() {
			if x.Method == http.MethodGet && isSuccess(x.Status) && x.Type() == "text/event-stream" && x.Header.Get("Last-Event-ID") == "" {
				open = append(open, x)
			}
		}
	}
	return open
}
