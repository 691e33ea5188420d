package schemas

import "mcpworks/lint"

var size = lint.Rule{
	ID: "SCH-019", Slug: "size",
	Title:    "input schemas are small enough for a model",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	What: "Counts the properties in the inputSchema of every tool, at all depths: at most 60. Measures how deep values can be nested: an argument has depth 1, what is in it 2, and so on up to 8.",
	Why:  "Models fill large and deep arguments in badly, and the schema is in the context of every request. Some model APIs have limits of this order.",
	Bad:  `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"object","properties":{"c":{"…":"six levels more"}}}}}}}`,
	Good: `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`,
	Fix:  "Split the tool by purpose, drop arguments that are never set, or take a rarely used structure as one string.",
	Check: func(v *lint.View) {
		for _, d := range documents(v, input) {
			v.Saw()
			properties, deepest := 0, 0
			d.walk(func(n *node) {
				if n.isProperty() {
					properties++
				}
				deepest = max(deepest, n.nesting())
			})
			if properties > maxProperties {
				d.root().failf("", "has more than %d properties", maxProperties)
			}
			if deepest > maxNesting {
				d.root().failf("", "is more than %d levels deep", maxNesting)
			}
		}
	},
}

const (
	maxProperties = 60
	maxNesting    = 8
)

// nesting is how deep in a value the node describes something.
func (n *node) nesting() int {
	if n.parent == nil {
		return 0
	}
	switch n.part.Keyword {
	case "properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "items", "prefixItems", "additionalItems", "unevaluatedItems", "contains":
		return n.parent.nesting() + 1
	}
	return n.parent.nesting()
}
