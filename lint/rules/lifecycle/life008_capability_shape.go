package lifecycle

import (
	"slices"

	"mcpworks/internal/bounded"
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var capabilityShape = lint.Rule{
	ID: "LIFE-008", Slug: "capability-shape",
	Title:    "every capability is an object with the flags that the specification gives it",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Passive,
	Rests: []lint.Clause{
		{Revisions: lint.C | lint.D | lint.E, Page: "schema#servercapabilities", Demand: "Each capability is an object; listChanged and subscribe are booleans."},
		{Revisions: lint.A | lint.B, Page: "basic/lifecycle#capability-negotiation", Demand: "Capabilities are objects, some of them with the flags listChanged and subscribe."},
	},
	What: "Looks at the capabilities in every answer to initialize or server/discover. Each has to be an object, and so has each entry of experimental and extensions; listChanged and subscribe have to be booleans. Members of tools, resources and prompts that the specification does not know are a warning.",
	Why:  "Strict clients refuse the whole answer when a type is wrong. A member in the wrong place, like a tool listed inside tools, is ignored without a word.",
	Bad:  `"capabilities":{"tools":true,"resources":{"listChanged":"yes"},"prompts":{"greet":{}}}`,
	Good: `"capabilities":{"tools":{},"resources":{"listChanged":true},"prompts":{}}`,
	Fix:  "Declare each capability as an object, {} if it has no flags. Tools, resources and prompts themselves belong into the answers to the list methods, and inventions of your own under experimental.",
	Check: func(v *lint.View) {
		for _, m := range introductions(v) {
			all := lint.Member(m.Result, "capabilities")
			if rawjson.KindOf(all) != rawjson.Object {
				v.NotVerified("the capabilities are no object")
				continue
			}
			v.Saw()
			for name, value := range rawjson.Members(all) {
				checkCapability(v, m, string(name), value)
			}
		}
	},
}

// flags are what is known inside of capabilities. Others may have any members.
var flags = map[string][]string{
	"tools":     {"listChanged"},
	"prompts":   {"listChanged"},
	"resources": {"listChanged", "subscribe"},
}

func checkCapability(v *lint.View, m *lint.Message, name string, value []byte) {
	name = bounded.Bytes(name, 80, "…")
	place := "/capabilities/" + name
	if kind := rawjson.KindOf(value); kind != rawjson.Object {
		failAt(v, lint.Error, m, place, "the capability %s is of type %v, not object", name, kind)
		return
	}
	known, closed := flags[name]
	open := name == "experimental" || name == "extensions"
	for member, value := range rawjson.Members(value) {
		member, kind := bounded.Bytes(string(member), 80, "…"), rawjson.KindOf(value)
		switch {
		case open && kind != rawjson.Object:
			failAt(v, lint.Error, m, place+"/"+member, "%s has the entry %s of type %v, not object", name, member, kind)
		case slices.Contains(known, member) && kind != rawjson.Bool:
			failAt(v, lint.Error, m, place+"/"+member, "the flag %s.%s is of type %v, not boolean", name, member, kind)
		case closed && !slices.Contains(known, member):
			failAt(v, lint.Warning, m, place+"/"+member, "the capability %s has the member %s, which no revision knows", name, member)
		}
	}
}
