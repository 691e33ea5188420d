package modern

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var scopeSame = lint.Rule{
	ID: "MOD-010", Slug: "scope-same",
	Title:    "all pages of one list have the same cacheScope",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Passive,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "server/utilities/caching", Demand: "Every page of a list has the same cacheScope."}},
	What:  "Reads every list page by page, and compares cacheScope of the pages.",
	Why:   "Shared caches keep the public pages and drop the private ones. Somebody else then sees half of a list.",
	Bad:   `page 1 has "cacheScope":"public", page 2 "cacheScope":"private"`,
	Good:  `both have "cacheScope":"private"`,
	Fix:   "Choose cacheScope for the list as a whole, before it is cut into pages.",
	Check: func(v *lint.View) {
		for _, t := range talks(v, step.Main) {
			for _, name := range []string{step.List, step.ListAgain} {
				first := map[string]string{} // scope of the first page, by method
				for _, s := range t.StepsOf(name) {
					answer := s.Answer()
					if answer == nil || !answer.HasResult() {
						continue
					}
					scope := string(lint.Member(answer.Result, "cacheScope"))
					before, again := first[s.About]
					if !again {
						first[s.About] = scope
						continue
					}
					v.Saw()
					if scope != before {
						v.Failf(answer, about(s.About), "cacheScope differs between pages of the list")
					}
				}
			}
		}
		v.NotApplicable("no list has more than one page")
	},
}
