package streamable

import (
	"slices"

	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

var twoClients = lint.Rule{
	ID: "HTTP-052", Slug: "two-clients",
	Title:    "a second client can connect while the first is there",
	Severity: lint.Error, Strength: lint.Quality,
	Revisions: anyRevision, Transports: lint.Streamable, Level: lint.Probe,

	What: "Opens four sessions at the same time, or in the modern era sends a request as a second client on another connection. All have to be answered.",
	Why:  "Two windows of one editor are two clients, and so is a client that was restarted after a crash. A server that has room for one only refuses the other, and often keeps refusing until it is restarted.",
	Bad: `POST initialize, of a second client
→ HTTP/1.1 500 Internal Server Error
  Already connected to a transport`,
	Good: `POST initialize, of a second client
→ HTTP/1.1 200 OK`,
	Fix: "Make a new server object and a new transport for each session; in the SDKs one of them must not be connected twice.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks(step.HTTPSessions) {
			s := t.Step(step.Initialize, "")
			if s == nil || response(s) == nil || !tells(response(s)) {
				continue
			}
			v.Saw()
			if isShutOut(s) {
				v.Failf(s, lint.Subject{}, "a second client cannot open a session: initialize is answered with status %d", response(s).Status)
			}
		}
		for _, s := range judged(v, step.HTTPSecondClient) {
			v.Saw()
			if !served(s) {
				v.Failf(s, lint.Subject{}, "a second client is not served, but answered with status %d", response(s).Status)
			}
		}
	},
}

// isShutOut says whether an initialize was answered, and not with a result.
func isShutOut(initialize *lint.Step) bool {
	answer := initialize.Answer()
	return tells(response(initialize)) && (answer == nil || !answer.HasResult())
}

// isSecondClient says whether a step begins a session with a server that refuses
// all but its first client, and so shows nothing else.
func isSecondClient(v *lint.View, s *lint.Step) bool {
	if asked := s.Asked(); asked == nil || asked.MethodName() != mcp.MethodInitialize {
		return false
	}
	return slices.ContainsFunc(v.Talks(step.HTTPSessions), func(t *lint.Talk) bool {
		initialize := t.Step(step.Initialize, "")
		return initialize != nil && response(initialize) != nil && isShutOut(initialize)
	})
}
