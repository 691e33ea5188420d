package streamable

import (
	"mcpworks/lint"
	"mcpworks/mcp"
)

var mcpHeaderSecret = lint.Rule{
	ID: "HTTP-048", Slug: "x-mcp-header-secret",
	Title:    "no secret is mirrored into a header",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: lint.E, Transports: lint.Streamable, Level: lint.Static, Needs: "tools",
	Rests: []lint.Clause{
		{Revisions: lint.E, Page: "server/tools#x-mcp-header", Demand: "Parameters with passwords, tokens, keys and the like are not annotated."},
	},
	What: "Looks at every property with x-mcp-header: neither its name nor that of the header may be like password, token, secret or key.",
	Why:  "Headers are what proxies and servers write into their logs. A secret in a header is a secret in many files.",
	Bad:  `"apiKey":{"type":"string","x-mcp-header":"Api-Key"}`,
	Good: `"region":{"type":"string","x-mcp-header":"Region"}`,
	Fix:  "Remove the annotation from the parameter, and better still take secrets from the authorization of the request.",
	Check: func(v *lint.View) {
		annotated := false
		for _, tool := range v.Items(mcp.MethodListTools) {
			for _, m := range marksOf(tool) {
				annotated = true
				v.Saw()
				if header, _ := lint.Text(m.value); isSecretName(m.property) || isSecretName(header) {
					v.Fail(lint.Finding{
						Subject: m.subject(tool), Message: "a parameter that is named like a secret is mirrored into a header",
						Pointer: m.pointer + "/x-mcp-header", Evidence: tool.Evidence(), Revision: tool.Message.Talk().Revision,
					})
				}
			}
		}
		if !annotated {
			v.NotApplicable("no tool has x-mcp-header")
		}
	},
}
