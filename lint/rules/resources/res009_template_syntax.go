package resources

import (
	"mcpworks/lint"
	"mcpworks/mcp"
)

var templateSyntax = lint.Rule{
	ID: "RES-009", Slug: "template-syntax",
	Title:    "the URI templates are valid RFC 6570",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Static, Needs: "resources",
	Rests: []lint.Clause{
		{Revisions: lint.All, Page: "server/resources#resource-templates", Demand: "Templates are URI templates in the sense of RFC 6570."},
		{Page: "RFC 6570 2", Demand: "A template is literal text with expressions in braces: an operator, then variables with their modifiers."},
	},
	What: "Parses the uriTemplate of every template: braces in pairs, operators that exist, names of variables, modifiers, and literal text without characters that need escaping.",
	Why:  "Clients expand templates with a library. One that cannot be parsed can be filled by nobody, and some clients drop the whole list for it.",
	Bad:  `{"uriTemplate":"db://{table name}/{}","name":"table"}`,
	Good: `{"uriTemplate":"db://{table}/{row}","name":"table"}`,
	Fix:  "Write variables as {name}, with letters, digits and underscores; {+path} for a value with slashes; {?a,b} for a query.",
	Check: func(v *lint.View) {
		items := v.Items(mcp.MethodListResourceTemplates)
		for _, item := range items {
			text, ok := lint.Text(lint.Member(item.Raw, "uriTemplate"))
			if !ok {
				continue // RES-001
			}
			v.Saw()
			if flaw := templateFlaw(text); flaw != "" {
				failAt(v, lint.Off, item, "/uriTemplate", "%s", flaw)
			}
		}
		if len(items) == 0 {
			v.NotApplicable("the server lists no templates")
		}
	},
}
