package streamable

import (
	"slices"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var keepAlive = lint.Rule{
	ID: "HTTP-053", Slug: "keep-alive",
	Title:    "two requests on one connection both work",
	Severity: lint.Error, Strength: lint.Quality,
	Revisions: anyRevision, Transports: lint.Streamable, Level: lint.Probe,
	Rests: []lint.Clause{
		other("RFC 9112 9.3", "A connection is used for several requests unless one side says that it will close it."),
	},
	What: "Sends two requests one after the other on one connection. If the first is answered, the second has to be answered as well.",
	Why:  "Every HTTP library uses connections again. A server that cannot cope fails every second request, in ways that look like chance.",
	Bad: `POST ping → 200 OK
POST ping → (the connection is reset)`,
	Good: `POST ping → 200 OK
POST ping → 200 OK`,
	Fix: "Read the body of each request to its end, and end each response with its proper length; or send Connection: close.",
	Check: func(v *lint.View) {
		for _, s := range v.Steps(step.HTTPKeepAlive) {
			all := slices.DeleteFunc(s.Exchanges(), func(x *lint.Exchange) bool { return isRedirect(x.Status) })
			if len(all) < 2 || !isAnswered(s, all[0]) {
				continue
			}
			v.Saw()
			switch second := all[1]; {
			case isAnswered(s, second):
			case second.Status == 0:
				v.Failf(s, lint.Subject{}, "the second request on a connection gets no response")
			default:
				v.Failf(s, lint.Subject{}, "the second request on a connection is answered with status %d", second.Status)
			}
		}
	},
}

// isAnswered says whether an exchange was a success that brought a response.
func isAnswered(s *lint.Step, x *lint.Exchange) bool {
	return slices.ContainsFunc(s.Messages(), func(m *lint.Message) bool {
		return m.HTTP == x && m.FromServer && m.Kind == lint.Response && isSuccess(x.Status)
	})
}
