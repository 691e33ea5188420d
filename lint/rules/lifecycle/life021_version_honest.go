package lifecycle

import (
	"strings"

	"mcpworks/lint"
)

var versionHonest = lint.Rule{
	ID: "LIFE-021", Slug: "version-honest",
	Title:    "serverInfo.version is the version of the package",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static,
	What: "Compares serverInfo.version with the version of the package that was started, where that is known: of an npx command from its package.json. A v before the number does not count.",
	Why:  "The version in serverInfo is what people see in their client and copy into bug reports. A number that was never changed sends everyone the wrong way.",
	Bad:  `package.json: "version": "2.4.1"   serverInfo: {"name":"sample","version":"1.0.0"}`,
	Good: `package.json: "version": "2.4.1"   serverInfo: {"name":"sample","version":"2.4.1"}`,
	Fix:  "Read the version from the package at build time or at run time instead of writing it down a second time.",
	Check: func(v *lint.View) {
		published := v.Record().Target.Package.Version
		if published == "" {
			v.NotApplicable("the version of the package is not known")
			return
		}
		for _, m := range introductions(v) {
			said, ok := lint.Text(lint.Member(m.Talk().Server(), "version"))
			if !ok {
				continue
			}
			v.Saw()
			if strings.TrimPrefix(said, "v") != strings.TrimPrefix(published, "v") {
				v.Failf(m, lint.Subject{}, "serverInfo says version %q, and the package is %q", brief(said), brief(published))
			}
		}
	},
}
