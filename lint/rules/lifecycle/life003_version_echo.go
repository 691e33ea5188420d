package lifecycle

import (
	"slices"

	"mcpworks/lint"
)

var versionEcho = lint.Rule{
	ID: "LIFE-003", Slug: "version-echo",
	Title:    "a client that asks for a version the server supports gets that version",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.Legacy, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.Legacy, Page: "basic/lifecycle#version-negotiation", Demand: "A version that the server speaks is agreed to as it was asked for."}},
	What:  "Asks for 1999-01-01 and for every published version with a handshake, each in a connection of its own. All versions that occur in the answers are supported by the server; asking for one of them has to return exactly that one.",
	Why:   "Older clients ask for the version they know and leave if another one comes back, although the server could have served them.",
	Bad: `→ initialize, protocolVersion 2025-06-18   ← protocolVersion 2025-03-26
→ initialize, protocolVersion 2025-11-25   ← protocolVersion 2025-06-18`,
	Good: `→ initialize, protocolVersion 2025-06-18   ← protocolVersion 2025-06-18
→ initialize, protocolVersion 2025-11-25   ← protocolVersion 2025-06-18`,
	Fix: "Compare the version in the request with the list of those the server supports, and answer with it if it is there; use the newest only otherwise.",
	Check: func(v *lint.View) {
		all := offers(v)
		versions := spoken(all)
		switch {
		case len(versions) == 0:
			v.NotVerified("no initialize was answered with a published version")
		case shutOut(v):
			v.NotVerified(onlyOneClient)
		}
		for _, o := range all {
			if !slices.Contains(versions, o.asked) {
				continue
			}
			v.Saw()
			subject := lint.Subject{Kind: "version", Name: o.asked}
			switch {
			case o.answered == o.asked:
			case o.answered != "":
				v.Failf(o.step, subject, "is supported, and still asking for it is answered with %q", brief(o.answered))
			case refused(o.step):
				v.Failf(o.step, subject, "is supported, and still asking for it is refused")
			default:
				v.Failf(o.step, subject, "is supported, and still asking for it is not answered with a version")
			}
		}
	},
}
