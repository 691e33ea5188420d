package lifecycle

import "mcpworks/lint"

var versionKnown = lint.Rule{
	ID: "LIFE-005", Slug: "version-known",
	Title:    "the version in the answer to initialize is a published one",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.Legacy, Level: lint.Passive,
	Rests: []lint.Clause{{Revisions: lint.Legacy, Page: "basic/lifecycle#version-negotiation", Demand: "Both sides agree on one version of the protocol."}},
	What:  "Compares protocolVersion of every result of initialize with the dates of the published revisions. 2026-07-28 is none of them here, because it has no initialize. That 1999-01-01 is repeated to a client that asks for it is LIFE-004.",
	Why:   "Clients only know the published revisions and close the connection when they read anything else.",
	Bad:   `{"protocolVersion":"1.0","capabilities":{},"serverInfo":{…}}`,
	Good:  `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{…}}`,
	Fix:   "Answer with the date of a published revision, to the letter; the version of the program belongs into serverInfo.version.",
	Check: func(v *lint.View) {
		for _, m := range introductions(v) {
			answered, ok := lint.Text(lint.Member(m.Result, "protocolVersion"))
			if !ok {
				v.NotVerified("an answer to initialize names no version")
				continue
			}
			v.Saw()
			switch {
			case answered == version(m.Asked.Params):
			case lint.Modern.Has(answered):
				failAt(v, lint.Error, m, "/protocolVersion", "initialize is answered with version %q, which has no handshake", answered)
			case !lint.Legacy.Has(answered):
				failAt(v, lint.Error, m, "/protocolVersion", "initialize is answered with version %q, which was never published", brief(answered))
			}
		}
	},
}
