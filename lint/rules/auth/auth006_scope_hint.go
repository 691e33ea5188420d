package auth

import "mcpworks/lint"

var scopeHint = lint.Rule{
	ID: "AUTH-006", Slug: "scope-hint",
	Title:    "a challenge says which scopes are needed",
	Severity: lint.Info, Strength: lint.Should,
	Revisions: lint.D | lint.E, Transports: lint.HTTP, Level: lint.Probe,
	Rests: []lint.Clause{
		{Revisions: lint.D, Page: "basic/authorization" + discoverySection, Demand: "A 401 should name the scopes that are needed in its challenge."},
		{Revisions: lint.E, Page: "basic/authorization#scope-selection-strategy", Demand: "A 401 should name the scopes that are needed in its challenge."},
	},
	What: "Sends a request without credentials. If the answer is a 401 with a Bearer challenge, it should have the parameter scope.",
	Why:  "Without the hint clients ask for every scope that the server knows, and users grant more than they need to.",
	Bad:  "WWW-Authenticate: Bearer resource_metadata=\"https://mcp.example.com/.well-known/oauth-protected-resource\"",
	Good: "WWW-Authenticate: Bearer resource_metadata=\"https://mcp.example.com/.well-known/oauth-protected-resource\", scope=\"files:read\"",
	Fix:  "Add scope to WWW-Authenticate, with what the refused request would have needed.",
	Check: func(v *lint.View) {
		if !speaks(v, lint.D|lint.E) {
			v.NotApplicable("the server does not speak %v", lint.D|lint.E)
			return
		}
		for _, c := range challenges(v) {
			if !c.bearer {
				v.NotApplicable("the challenge is not of the scheme Bearer")
				continue
			}
			v.Saw()
			if c.params["scope"] == "" {
				v.Failf(c.step, lint.Subject{}, "the challenge of a 401 does not name a scope")
			}
		}
	},
}
