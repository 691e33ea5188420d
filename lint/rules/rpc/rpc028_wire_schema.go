package rpc

import (
	"mcpworks/lint"
	"mcpworks/lint/wireschema"
)

var wireSchema = lint.Rule{
	ID: "RPC-028", Slug: "wire-schema",
	Title:    "every message fits the schema of its revision",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Passive,
	Rests: []lint.Clause{
		{Revisions: lint.C | lint.D | lint.E, Page: "schema", Demand: "The schema says which members each message has, and of which types they are."},
		{Revisions: lint.A | lint.B, Page: "basic#schema", Demand: "The types of all messages are those of the published schema."},
	},
	What: "Validates every message that the server sends against the JSON Schema of the revision in use, chosen by its method. Places that another rule looks at are left to that rule, and so are messages with a key twice.",
	Why:  "Clients are generated from this schema. One with static types refuses the whole message over one member of the wrong type.",
	Bad:  `{"tools":[{"name":"read","title":5,"inputSchema":{"type":"object"}}]}`,
	Good: `{"tools":[{"name":"read","title":"Read a file","inputSchema":{"type":"object"}}]}`,
	Fix:  "Change the member to the type that the message says. Leave an optional member out where there is no value, instead of sending null.",
	Check: func(v *lint.View) {
		known := seenBefore{}
		for _, m := range messages(v) {
			version := m.Talk().Revision
			if m.Kind == lint.Invalid || !sameEra(m, version) {
				continue
			}
			if known.has(m) {
				v.Saw()
				continue
			}
			problems, err := wireschema.Validate(version, wireschema.Server, m.MethodName(), m.Raw)
			if err != nil { // beyond its bounds, or an unknown revision
				continue
			}
			v.Saw()
			for _, p := range problems {
				if !owned(m, version, p.Pointer, v.Record().Level) {
					fails(v, m, p)
				}
			}
		}
	},
}

// sameEra says whether a message is one of the revision that its talk is in. In
// a modern talk, requests of the server are a matter of MOD-011, and what does
// not answer a modern request one of the rules about eras.
func sameEra(m *lint.Message, version string) bool {
	switch {
	case !lint.Modern.Has(version):
		return m.Asked == nil || !isModern(m.Asked)
	case m.Kind == lint.Request:
		return false
	}
	return m.Asked == nil || isModern(m.Asked)
}

func fails(v *lint.View, m *lint.Message, p wireschema.Problem) {
	subject, pointer := place(m, p.Pointer)
	v.Fail(lint.Finding{
		Subject: subject, Pointer: pointer, Message: member(p.Pointer) + " " + p.Message,
		Evidence: m.Evidence(), Revision: m.Talk().Revision,
	})
}
