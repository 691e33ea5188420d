package lifecycle

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var instructionsType = lint.Rule{
	ID: "LIFE-019", Slug: "instructions-type",
	Title:    "instructions is a string",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Passive,
	Rests: []lint.Clause{
		{Revisions: lint.Legacy, Page: "basic/lifecycle#initialization", Demand: "The answer to initialize may have instructions, which are text."},
		{Revisions: lint.Modern, Page: "schema#discoverresult", Demand: "The answer to server/discover may have instructions, which are text."},
	},
	What: "Looks at the member instructions in every answer to initialize or server/discover. If it is there, it has to be a string; null is none.",
	Why:  "Clients put the text into the prompt of a model. Strict ones refuse the whole handshake over another type.",
	Bad:  `{"protocolVersion":"2025-11-25",…,"instructions":null}`,
	Good: `{"protocolVersion":"2025-11-25",…,"instructions":"Ask for the schema before you query."}`,
	Fix:  "Send a string, and leave the member out if there is nothing to say.",
	Check: func(v *lint.View) {
		for _, m := range introductions(v) {
			instructions := lint.Member(m.Result, "instructions")
			if instructions == nil {
				v.NotApplicable("the server gives no instructions")
				continue
			}
			v.Saw()
			if kind := rawjson.KindOf(instructions); kind != rawjson.StringKind {
				failAt(v, lint.Error, m, "/instructions", "instructions are of type %v, not string", kind)
			}
		}
	},
}
