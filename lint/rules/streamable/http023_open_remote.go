package streamable

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

var openRemote = lint.Rule{
	ID: "HTTP-023", Slug: "open-remote",
	Title:    "a server in the network does not list its tools for everybody",
	Severity: lint.Info, Strength: lint.Should,
	Revisions: anyRevision, Transports: lint.Streamable, Level: lint.Passive,
	Rests: []lint.Clause{
		legacy("security-warning", "Whoever connects should be authenticated."),
		modern("security-&-endpoint", "Whoever connects should be authenticated."),
	},
	What: "For a server that is not on this machine and was asked without credentials: tools/list must not have a result.",
	Why:  "A server that lists its tools for everybody will most likely run them for everybody. That can be intended, as with public documentation; it should not happen by accident.",
	Bad: `POST tools/list, without Authorization
→ HTTP/1.1 200 OK`,
	Good: `POST tools/list, without Authorization
→ HTTP/1.1 401 Unauthorized
  WWW-Authenticate: Bearer resource_metadata="…"`,
	Fix: "Ask for credentials with 401 and WWW-Authenticate, or ignore this rule for a server that is meant to be public.",
	Check: func(v *lint.View) {
		switch target := v.Record().Target; {
		case target.Loopback:
			v.NotApplicable("the server is on this machine")
			return
		case target.Credentials:
			v.NotVerified("credentials were sent with every request")
			return
		}
		for _, t := range v.Talks(step.Main) {
			if s := t.Step(step.List, mcp.MethodListTools); s != nil && response(s) != nil {
				v.Saw()
				if answer := s.Answer(); answer != nil && answer.HasResult() {
					v.Failf(s, lint.Subject{}, "the tools are listed without credentials")
				}
			}
		}
	},
}
