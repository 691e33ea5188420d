package schemas

import (
	"strings"

	"mcpworks/internal/jsonschema"
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var metaschema = lint.Rule{
	ID: "SCH-001", Slug: "metaschema",
	Title:    "each schema is one by the rules of its dialect",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	Rests: []lint.Clause{
		{Revisions: lint.D | lint.E, Page: "basic#json-schema-usage", Demand: "Schemas are valid in the dialect they name, and in 2020-12 if they name none."},
		{Revisions: lint.A | lint.B | lint.C, Page: "server/tools#tool", Demand: "The input of a tool is described by a JSON Schema."},
	},
	What: "Checks the inputSchema and outputSchema of every tool against the meta-schema of the dialect in $schema. Without $schema that is 2020-12; before 2025-11-25 it is enough to be valid in draft-07. What a more specific rule reports is left to it: the forms of required (SCH-007), empty enums (SCH-010), constructs of draft-07 in 2020-12 (SCH-024).",
	Why:  "Clients and model APIs compile the schemas of all tools at once. One schema that cannot be compiled often takes all tools of the server with it.",
	Bad:  `{"type":"object","properties":{"path":{"type":"sting"}}}`,
	Good: `{"type":"object","properties":{"path":{"type":"string"}}}`,
	Fix:  "Correct the keyword at the pointer; a schema generated from a type by the SDK is valid by construction.",
	Check: func(v *lint.View) {
		v.NotApplicable("no schema is in a known dialect")
		for _, d := range documents(v) {
			if d.dialect == "" {
				continue // SCH-002
			}
			faults, err := d.faults()
			if err != nil {
				v.NotVerified("a schema is too large to be checked: %v", err)
				continue
			}
			v.Saw()
			reportFaults(d, faults)
		}
	},
}

// faults are those by the meta-schema. A document that may be in either of two
// dialects has those of the first if it has some in both.
func (d *document) faults() ([]jsonschema.Violation, error) {
	foreign, err := jsonschema.ReadForeign(d.raw, d.dialect)
	if err != nil {
		return nil, err
	}
	faults := foreign.Faults()
	if len(faults) == 0 || !d.oldByDefault() {
		return faults, nil
	}
	if foreign, err = jsonschema.ReadForeign(d.raw, jsonschema.Draft7); err != nil {
		return nil, err
	}
	if len(foreign.Faults()) == 0 {
		return nil, nil
	}
	return faults, nil
}

// oldByDefault says whether the document may be in draft-07 although it does not
// say so.
func (d *document) oldByDefault() bool {
	return !d.declared && (lint.A | lint.B | lint.C).Has(d.revision())
}

func reportFaults(d *document, faults []jsonschema.Violation) {
	if len(faults) == 0 {
		return
	}
	others := d.reportedElsewhere()
	for _, fault := range faults {
		if others[fault.Path] || others[parent(fault.Path)] {
			continue
		}
		d.failAt(fault.Path, "is no valid schema: %s %s", lastToken(fault.Path), fault.Message)
	}
}

// reportedElsewhere are the pointers of what other rules report.
func (d *document) reportedElsewhere() map[string]bool {
	others := map[string]bool{}
	d.walk(func(n *node) {
		if raw := n.member("required"); raw != nil && requiredFault(raw) != "" {
			others[n.inside()+"/required"] = true
		}
		if raw := n.member("enum"); rawjson.KindOf(raw) == rawjson.Array {
			others[n.inside()+"/enum"] = true
		}
		for _, keyword := range oldConstructs(n) {
			others[n.inside()+"/"+keyword] = true
		}
	})
	return others
}

func parent(pointer string) string {
	return pointer[:max(0, strings.LastIndexByte(pointer, '/'))]
}

func lastToken(pointer string) string {
	if pointer == "" {
		return "it"
	}
	return pointer[strings.LastIndexByte(pointer, '/')+1:]
}
