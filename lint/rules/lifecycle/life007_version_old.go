package lifecycle

import (
	"slices"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var versionOld = lint.Rule{
	ID: "LIFE-007", Slug: "version-old",
	Title:    "the newest revision that is supported is at most two behind the newest one with a handshake",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.Legacy, Level: lint.Probe,
	What: "Asks for every published version with a handshake and takes the newest of the answers. It has to be 2025-03-26 or later. A server that also speaks a revision without a handshake passes.",
	Why:  "2024-11-05 has no tool annotations, no structured results and only the HTTP transport that has been replaced. Clients drop old revisions one day.",
	Bad:  `→ protocolVersion 2025-11-25   ← protocolVersion 2024-11-05`,
	Good: `→ protocolVersion 2025-11-25   ← protocolVersion 2025-11-25`,
	Fix:  "Update the SDK; the newer revisions come with it, and old clients are still served.",
	Check: func(v *lint.View) {
		all := offers(v)
		versions := spoken(all)
		if !asksFor(all, newestLegacy()) || len(versions) == 0 {
			v.NotVerified("asking for %s was not answered with a published version", newestLegacy())
			return
		}
		v.Saw()
		legacy, newest := lint.Legacy.Versions(), versions[len(versions)-1]
		if len(legacy)-1-slices.Index(legacy, newest) <= 2 || speaksModern(v.Record()) {
			return
		}
		i := slices.IndexFunc(all, func(o offer) bool { return o.asked == newestLegacy() })
		v.Failf(all[i].step, lint.Subject{Kind: "version", Name: newest}, "is the newest revision that the server speaks, and more than two behind %s", newestLegacy())
	},
}

func newestLegacy() string {
	versions := lint.Legacy.Versions()
	return versions[len(versions)-1]
}

// asksFor says whether one of the offers was of a version.
func asksFor(all []offer, version string) bool {
	return slices.ContainsFunc(all, func(o offer) bool { return o.asked == version })
}

func speaksModern(r *lint.Record) bool {
	return slices.ContainsFunc(r.Talks, func(t *lint.Talk) bool { return t.Modern && t.Phase == step.Main && introduction(t) != nil })
}
