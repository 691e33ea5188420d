package lifecycle

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var versionUnknown = lint.Rule{
	ID: "LIFE-004", Slug: "version-unknown",
	Title:    "a client that asks for an unknown version gets one that the server supports",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.Legacy, Level: lint.Probe,
	Rests: []lint.Clause{{Revisions: lint.Legacy, Page: "basic/lifecycle#version-negotiation", Demand: "A version that the server does not speak is answered with one that it does."}},
	What:  "Asks for version 1999-01-01 in a connection of its own. A result with another version has to come. The same version is an error: no server can speak it. A refusal is a warning, because an example in the specification shows one.",
	Why:   "A server that repeats what it was told promises a protocol that it does not speak. One that refuses shuts out newer clients, which would have been content with an older version.",
	Bad:   `→ {"protocolVersion":"1999-01-01",…}   ← {"protocolVersion":"1999-01-01",…}`,
	Good:  `→ {"protocolVersion":"1999-01-01",…}   ← {"protocolVersion":"2025-11-25",…}`,
	Fix:   "Keep a list of supported versions. Answer with the client's version only if it is in that list, and otherwise with the newest in it, as a result and not as an error.",
	Check: func(v *lint.View) {
		o, ok := unknownOffer(offers(v))
		if !ok {
			v.NotVerified("no client asked for an unknown version")
			return
		}
		if o.answered == "" && shutOut(v) {
			v.NotVerified(onlyOneClient)
			return
		}
		v.Saw()
		subject := lint.Subject{Kind: "version", Name: step.UnknownVersion}
		switch {
		case o.answered == o.asked:
			v.Failf(o.step, subject, "never existed, and is still agreed to")
		case o.answered != "":
		case refused(o.step):
			v.FailAs(lint.Warning, o.step, subject, "is refused instead of being answered with a version that the server supports")
		case o.step.Answer() == nil:
			v.Failf(o.step, subject, "is not answered at all")
		default:
			v.NotVerified("the answer names no version")
		}
	},
}
