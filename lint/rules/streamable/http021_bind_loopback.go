package streamable

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var bindLoopback = lint.Rule{
	ID: "HTTP-021", Slug: "bind-loopback",
	Title:    "a server on this machine listens on loopback addresses only",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: lint.All, Transports: lint.Streamable, Level: lint.Passive,
	Rests: []lint.Clause{
		{Revisions: lint.Legacy, Page: "basic/transports#security-warning", Demand: "A local server should listen on localhost, and nowhere else."},
		modern("security-&-endpoint", "A local server should listen on localhost, and nowhere else."),
	},
	What: "For a server that is reached by a loopback address, sends a request to the same port at the other addresses of this machine. None may answer, not even with a refusal.",
	Why:  "A server that listens on all interfaces can be reached by everybody in the same network: the café, the office, the other virtual machines.",
	Bad:  "listening on 0.0.0.0:3000",
	Good: "listening on 127.0.0.1:3000",
	Fix:  `Give the listener the address 127.0.0.1 and not only a port: app.listen(port, "127.0.0.1") in Express, host="127.0.0.1" in uvicorn, net.Listen("tcp", "127.0.0.1:3000") in Go.`,
	Check: func(v *lint.View) {
		if !v.Record().Target.Loopback {
			v.NotApplicable("the server is not on this machine")
			return
		}
		steps := v.Steps(step.HTTPOtherAddress)
		if len(steps) == 0 {
			v.NotVerified("this machine has no other address")
		}
		for _, s := range steps {
			x := s.Exchange()
			if x == nil {
				continue
			}
			v.Saw()
			if x.Status != 0 {
				v.Failf(s, lint.Subject{}, "the server answers on an address that is not a loopback address")
			}
		}
	},
}
