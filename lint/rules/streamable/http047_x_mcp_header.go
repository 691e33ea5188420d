package streamable

import (
	"mcpworks/lint"
	"mcpworks/mcp"
)

var mcpHeader = lint.Rule{
	ID: "HTTP-047", Slug: "x-mcp-header",
	Title:    "x-mcp-header is used where and how it can be understood",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.E, Transports: lint.Streamable, Level: lint.Static, Needs: "tools",
	Rests: []lint.Clause{
		{Revisions: lint.E, Page: "server/tools#x-mcp-header", Demand: "The value is a token of HTTP, unique in the schema without regard to case, on a string, integer or boolean that is reached from the root through properties alone."},
		modern("schema-extension", "A client leaves out a tool whose annotations break these rules."),
	},
	What: "Looks at every x-mcp-header in the input schemas of the tools: the value has to be a token of HTTP that occurs once in the schema without regard to case, on a property of the type string, integer or boolean, under nothing but properties.",
	Why:  "Clients have to leave out a tool whose annotations are wrong: it is there, and nobody can call it.",
	Bad:  `"tags":{"type":"array","items":{"type":"string","x-mcp-header":"Tag"}}`,
	Good: `"region":{"type":"string","x-mcp-header":"Region"}`,
	Fix:  "Move the annotation to a top-level property of a simple type, or remove it.",
	Check: func(v *lint.View) {
		annotated := false
		for _, tool := range v.Items(mcp.MethodListTools) {
			seen := map[string]bool{}
			for _, m := range marksOf(tool) {
				annotated = true
				v.Saw()
				for _, flaw := range m.flaws(seen) {
					v.Fail(lint.Finding{
						Subject: m.subject(tool), Message: flaw, Pointer: m.pointer + "/x-mcp-header",
						Evidence: tool.Evidence(), Revision: tool.Message.Talk().Revision,
					})
				}
			}
		}
		if !annotated {
			v.NotApplicable("no tool has x-mcp-header")
		}
	},
}
