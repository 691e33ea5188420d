package schemas

import (
	"mcpworks/internal/bounded"
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var requiredKnown = lint.Rule{
	ID: "SCH-006", Slug: "required-known",
	Title:    "what is required is also described",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	What: "Looks for names in required that are not in properties of the same schema. Schemas with patternProperties, references or compositions, and those inside of compositions, are left out: the properties may be elsewhere.",
	Why:  "A model is told to give an argument that nothing is said about. Mostly the property was renamed, and calls fail until the model guesses both names.",
	Bad:  `{"type":"object","properties":{"path":{"type":"string"}},"required":["file"]}`,
	Good: `{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`,
	Fix:  "Use the same names in required and properties.",
	Check: func(v *lint.View) {
		v.NotApplicable("no schema requires anything")
		each(documents(v), func(n *node) {
			required := n.member("required")
			if rawjson.KindOf(required) != rawjson.Array || n.composed() {
				return
			}
			known := map[string]bool{}
			for name := range rawjson.Members(n.member("properties")) {
				known[string(name)] = true
			}
			for _, element := range elements(required) {
				v.Saw()
				if name, ok := lint.Text(element); ok && !known[name] {
					n.failf("/required", "requires %q, which is not among its properties", bounded.Runes(name, 64))
				}
			}
		})
	},
}

// composed says whether properties of the node can be described by another.
func (n *node) composed() bool {
	if n.hasAny("patternProperties", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies", "$ref", "$dynamicRef", "$recursiveRef") {
		return true
	}
	switch n.part.Keyword {
	case "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies", "$defs", "definitions":
		return true
	}
	return false
}
