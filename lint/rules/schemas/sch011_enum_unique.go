package schemas

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var enumUnique = lint.Rule{
	ID: "SCH-011", Slug: "enum-unique",
	Title:    "the values of an enum are different and of the declared type",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	What: "Looks for values that an enum has twice, and for values that cannot be because the type beside the enum is another. That all values are of another type is the matter of SCH-016.",
	Why:  "A value of another type can never be used, and the model that picks it gets an error. Some model APIs refuse enums with repeated values.",
	Bad:  `{"type":"string","enum":["asc","desc","asc",0]}`,
	Good: `{"type":"string","enum":["asc","desc"]}`,
	Fix:  "Drop repeated values, and write numbers as strings if the type is string. For a value that may be left open, add null to the type as well.",
	Check: func(v *lint.View) {
		v.NotApplicable("no schema has an enum")
		each(documents(v), func(n *node) {
			raw := n.member("enum")
			if rawjson.KindOf(raw) != rawjson.Array {
				return
			}
			values := elements(raw)
			if len(values) == 0 {
				return
			}
			v.Saw()
			known := map[string]bool{}
			for _, value := range values {
				known[canonical(value)] = true
			}
			if len(known) < len(values) {
				n.failf("/enum", "the enum has a value twice")
			}
			if strange := countOthers(values, n.types()); strange > 0 && strange < len(values) {
				n.failf("/enum", "the enum has a value that the type does not allow")
			}
		})
	},
}

// countOthers counts the values that are of none of the types.
func countOthers(values [][]byte, types []string) (count int) {
	for _, value := range values {
		if !isOf(value, types) {
			count++
		}
	}
	return count
}
