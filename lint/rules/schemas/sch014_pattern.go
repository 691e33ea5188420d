package schemas

import "mcpworks/lint"

var pattern = lint.Rule{
	ID: "SCH-014", Slug: "pattern",
	Title:    "patterns are regular expressions of JavaScript",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	Rests: []lint.Clause{{Page: "JSON Schema 2020-12 core 6.4", Demand: "Regular expressions have the syntax of ECMA-262."}},
	What:  "Parses every pattern, and every name in patternProperties, by the grammar of ECMA-262, including what browsers accept beyond it. Look-ahead, look-behind and back-references are part of it; inline flags, possessive quantifiers and named groups of Python are not.",
	Why:   "Most clients are written in JavaScript, where a pattern of another language throws an error when the schema is compiled.",
	Bad:   `{"type":"string","pattern":"(?i)^[a-z]+$"}`,
	Good:  `{"type":"string","pattern":"^[A-Za-z]+$"}`,
	Fix:   "Rewrite the pattern: sets of both letter cases for inline flags, (?<name>…) for (?P<name>…), ^ and $ for \\A and \\z.",
	Check: func(v *lint.View) {
		eachPattern(v, func(n *node, at, text string) {
			_, err := parsePattern(text)
			if err == errPatternTooLarge {
				v.NotVerified("a pattern is too long to be checked")
				return
			}
			v.Saw()
			if err != nil {
				n.failf(at, "the pattern is no regular expression of ECMA-262: %v", err)
			}
		})
	},
}
