package schemas

import "mcpworks/lint"

var patternCost = lint.Rule{
	ID: "SCH-015", Slug: "pattern-cost",
	Title:    "no pattern can take exponential time",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	What: "Looks for a repetition without end inside another one, where the inner one can be followed at once by the next round of the outer one and both can begin with the same character.",
	Why:  "Engines that try all ways, as those of JavaScript and Python do, need twice the time for each further character. Thirty characters that do not fit stop the client or the server.",
	Bad:  `{"type":"string","pattern":"^(\\w+\\s?)*$"}`,
	Good: `{"type":"string","pattern":"^\\w+(\\s\\w+)*$"}`,
	Fix:  "Put something between the rounds that the inner repetition cannot match, or bound the length with maxLength and drop the pattern.",
	Check: func(v *lint.View) {
		eachPattern(v, func(n *node, at, text string) {
			parsed, err := parsePattern(text)
			if err != nil {
				return // SCH-014
			}
			v.Saw()
			if parsed.explodes() {
				n.failf(at, "the pattern has a repetition in a repetition that match the same text in many ways")
			}
		})
	},
}
