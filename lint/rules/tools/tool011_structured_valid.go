package tools

import (
	"mcpworks/internal/bounded"
	"mcpworks/internal/jsonschema"
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var structuredValid = lint.Rule{
	ID: "TOOL-011", Slug: "structured-valid",
	Title:    "results fit the outputSchema",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.C | lint.D | lint.E, Level: lint.Call, Needs: "tools",
	Rests: []lint.Clause{{Revisions: lint.C | lint.D | lint.E, Page: "server/tools#output-schema", Demand: "A tool that has an output schema answers with structured content that fits it."}},
	What:  "Looks at every result without isError of a tool that has an outputSchema: structuredContent is there, and valid by the schema.",
	Why:   "Clients validate it, as the specification tells them, and turn a result that does not fit into an error.",
	Bad:   `{"content":[{"type":"text","text":"{\"count\":\"3\"}"}],"structuredContent":{"count":"3"}}`,
	Good:  `{"content":[{"type":"text","text":"{\"count\":3}"}],"structuredContent":{"count":3}}`,
	Fix:   "Make schema and result from the same type. A tool that cannot promise a form has no outputSchema.",
	Check: func(v *lint.View) {
		v.NotApplicable("no tool with an outputSchema had a result")
		for _, c := range results(v) {
			item, _ := toolOf(v, c)
			schema := lint.Member(item.Raw, "outputSchema")
			if rawjson.KindOf(schema) != rawjson.Object || c.failed() {
				continue
			}
			value := c.member("structuredContent")
			if value == nil {
				v.Failf(c.answer, c.subject(), "has an outputSchema, but the result has no structuredContent")
				continue
			}
			fault, err := misfit(schema, value)
			if err != nil {
				v.NotVerified("an outputSchema cannot be used: %v", err)
				continue
			}
			v.Saw()
			if fault != "" {
				v.Failf(c.answer, c.subject(), "structuredContent does not fit the outputSchema: %s", fault)
			}
		}
	},
}

// misfit says where a value breaks a schema, and which keyword; nothing if it is
// valid.
func misfit(schema, value []byte) (string, error) {
	dialect := jsonschema.Draft2020
	if name, ok := lint.Text(lint.Member(schema, "$schema")); ok {
		if known, ok := jsonschema.DialectOf(name); ok {
			dialect = known
		}
	}
	foreign, err := jsonschema.ReadForeign(schema, dialect)
	if err != nil {
		return "", err
	}
	decoded, err := rawjson.Decode(value)
	if err != nil {
		return "", err
	}
	violations, err := foreign.Validate("", decoded)
	if err != nil || len(violations) == 0 {
		return "", err
	}
	return bounded.Runes(violations[0].Path+" ("+violations[0].Keyword+")", 200), nil
}
