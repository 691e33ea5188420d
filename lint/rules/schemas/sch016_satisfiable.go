package schemas

import (
	"slices"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var satisfiable = lint.Rule{
	ID: "SCH-016", Slug: "satisfiable",
	Title:    "there is a value that fits",
	Severity: lint.Error, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	What: "Looks for contradictions that can be seen without trying: a const that is not in the enum beside it, a type that excludes the const or all values of the enum, a required property whose schema is false.",
	Why:  "Nothing fits such a schema. If it is that of a required argument, every call of the tool fails.",
	Bad:  `{"type":"integer","enum":["1","2"]}`,
	Good: `{"type":"string","enum":["1","2"]}`,
	Fix:  "Decide which of the two is meant, and drop or correct the other.",
	Check: func(v *lint.View) {
		each(documents(v), func(n *node) {
			v.Saw()
			types, constant, enum := n.types(), n.member("const"), elements(n.member("enum"))
			if constant != nil && len(enum) > 0 && len(enum) < maxValues && !slices.ContainsFunc(enum, func(value []byte) bool { return canonical(value) == canonical(constant) }) {
				n.failf("/const", "the const is not in the enum")
			}
			if constant != nil && !isOf(constant, types) {
				n.failf("/const", "the type does not allow the const")
			}
			if len(enum) > 0 && len(enum) < maxValues && countOthers(enum, types) == len(enum) {
				n.failf("/enum", "the type does not allow any value of the enum")
			}
			if n.requiresImpossible() {
				n.failf("/properties", "a property is required whose schema is false")
			}
		})
	},
}

// requiresImpossible says whether a property is required that can have no value.
func (n *node) requiresImpossible() bool {
	impossible := map[string]bool{}
	for name, property := range rawjson.Members(n.member("properties")) {
		if string(property) == "false" {
			impossible[string(name)] = true
		}
	}
	return len(impossible) > 0 && slices.ContainsFunc(elements(n.member("required")), func(element []byte) bool {
		name, _ := lint.Text(element)
		return impossible[name]
	})
}
