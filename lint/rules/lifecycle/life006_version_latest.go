package lifecycle

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var versionLatest = lint.Rule{
	ID: "LIFE-006", Slug: "version-latest",
	Title:    "an unknown version is answered with the newest one that the server supports",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: lint.Legacy, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.Legacy, Page: "basic/lifecycle#version-negotiation", Demand: "In place of a version that it does not speak, a server should name its newest."}},
	What:  "Asks for 1999-01-01 and for every published version with a handshake, each in a connection of its own. The answer to 1999-01-01 has to be the newest version of all answers.",
	Why:   "A client that is newer than the server gets an old revision although both could do better, and loses the features in between.",
	Bad: `→ protocolVersion 1999-01-01   ← protocolVersion 2024-11-05
→ protocolVersion 2025-11-25   ← protocolVersion 2025-11-25`,
	Good: `→ protocolVersion 1999-01-01   ← protocolVersion 2025-11-25
→ protocolVersion 2025-11-25   ← protocolVersion 2025-11-25`,
	Fix: "Sort the supported versions and answer an unknown one with the newest of them.",
	Check: func(v *lint.View) {
		all := offers(v)
		o, ok := unknownOffer(all)
		switch versions := spoken(all); {
		case !ok:
			v.NotVerified("no client asked for an unknown version")
		case !lint.Legacy.Has(o.answered):
			v.NotVerified("an unknown version is not answered with a published one")
		case !asksFor(all, newestLegacy()):
			v.NotVerified("no client asked for %s", newestLegacy())
		default:
			v.Saw()
			if newest := versions[len(versions)-1]; o.answered != newest {
				v.Failf(o.step, lint.Subject{Kind: "version", Name: step.UnknownVersion}, "is answered with %s, although the server supports %s", o.answered, newest)
			}
		}
	},
}
