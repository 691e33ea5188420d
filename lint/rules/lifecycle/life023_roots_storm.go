package lifecycle

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

var rootsStorm = lint.Rule{
	ID: "LIFE-023", Slug: "roots-storm",
	Title:    "roots/list is asked at most five times while the roots do not change",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.Legacy, Level: lint.Probe,
	What: "Counts the requests roots/list in each connection whose client declares roots and calls no tools. Six without a notifications/roots/list_changed in between are reported.",
	Why:  "Each of them interrupts the client, and some ask the user. The answer is the same until the client says that it has changed.",
	Bad:  `← roots/list  ← roots/list  ← roots/list  ← roots/list  ← roots/list  ← roots/list`,
	Good: `← roots/list  … → notifications/roots/list_changed  ← roots/list`,
	Fix:  "Keep the roots, and ask again when notifications/roots/list_changed arrives.",
	Check: func(v *lint.View) {
		for _, t := range v.Talks() {
			if lint.Member(t.Client, "roots") == nil || introduction(t) == nil || t.Phase == step.Calling {
				continue // a tool may well ask each time it is called
			}
			v.Saw()
			asked := 0
			for _, m := range t.Messages() {
				switch name := m.MethodName(); {
				case !m.FromServer && name == "notifications/roots/list_changed":
					asked = 0
				case m.FromServer && m.Kind == lint.Request && name == mcp.MethodListRoots:
					if asked++; asked == rootsLimit+1 {
						v.Failf(m, lint.Subject{Kind: "method", Name: name}, "is asked more than %d times although the roots have not changed", rootsLimit)
					}
				}
			}
		}
	},
}

const rootsLimit = 5
