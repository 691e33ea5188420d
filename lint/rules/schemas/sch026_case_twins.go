package schemas

import (
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var caseTwins = lint.Rule{
	ID: "SCH-026", Slug: "case-twins",
	Title:    "no two properties differ only in letter case or separators",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	What: "Compares the names of the properties of each object after dropping _, -, . and blanks and making all letters small.",
	Why:  "A model takes either for the other. The value lands in the argument that the server does not read.",
	Bad:  `{"type":"object","properties":{"userId":{"type":"string"},"user_id":{"type":"string"}}}`,
	Good: `{"type":"object","properties":{"user_id":{"type":"string"}}}`,
	Fix:  "Keep one of them; the server may go on to accept the other without describing it.",
	Check: func(v *lint.View) {
		v.NotApplicable("no schema has two properties in one object")
		each(documents(v), func(n *node) {
			known := map[string]string{}
			for key := range rawjson.Members(n.member("properties")) {
				name := string(key)
				plain := strings.ToLower(separators.Replace(name))
				if len(known) > 0 {
					v.Saw()
				}
				if twin, ok := known[plain]; ok && twin != name {
					n.failf("/properties", "two properties have names that differ only in letter case or separators")
					return
				}
				known[plain] = name
			}
		})
	},
}

var separators = strings.NewReplacer("_", "", "-", "", ".", "", " ", "")
