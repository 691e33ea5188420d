package schemas

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var requiredForm = lint.Rule{
	ID: "SCH-007", Slug: "required-form",
	Title:    "required is a list of different names",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	Rests: []lint.Clause{
		{Revisions: lint.D | lint.E, Page: "basic#json-schema-usage", Demand: "Schemas are valid in their dialect, where required is an array of unique strings."},
		{Revisions: lint.A | lint.B | lint.C, Page: "server/tools#tool", Demand: "The input of a tool is described by a JSON Schema."},
	},
	What: "Looks at the keyword required in every schema: it has to be an array of strings without repetition. A boolean beside the type of a property is how very old drafts said it.",
	Why:  "The schema is invalid, and validators refuse it. Where they do not, the argument counts as optional and models leave it out.",
	Bad:  `{"type":"object","properties":{"path":{"type":"string","required":true}}}`,
	Good: `{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`,
	Fix:  "List the names of required properties in an array beside properties.",
	Check: func(v *lint.View) {
		v.NotApplicable("no schema requires anything")
		each(documents(v), func(n *node) {
			if raw := n.member("required"); raw != nil {
				v.Saw()
				if fault := requiredFault(raw); fault != "" {
					n.failf("/required", "%s", fault)
				}
			}
		})
	},
}

// requiredFault says what is wrong with a value of required; nothing if it is
// empty.
func requiredFault(raw []byte) string {
	switch rawjson.KindOf(raw) {
	case rawjson.Bool:
		return "required is a boolean, not a list beside properties"
	case rawjson.Array:
	default:
		return "required is not an array"
	}
	known := map[string]bool{}
	for element := range rawjson.Elements(raw) {
		name, ok := lint.Text(element)
		if !ok {
			return "required has something that is not a string"
		}
		if known[name] {
			return "required has a name twice"
		}
		known[name] = true
	}
	return ""
}
