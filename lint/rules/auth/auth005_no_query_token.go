package auth

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
)

var noQueryToken = lint.Rule{
	ID: "AUTH-005", Slug: "no-query-token",
	Title:    "a token in the address is not accepted",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.B | lint.C | lint.D | lint.E, Transports: lint.HTTP, Level: lint.Call,
	Rests: []lint.Clause{
		{Revisions: lint.B | lint.C | lint.D | lint.E, Page: "basic/authorization#token-requirements", Demand: "Tokens come in the Authorization header, and never in the query of the address."},
	},
	What: "If the user has given a bearer token, and the server wants one, sends a request without the header and with the token as access_token in the query. It must not be served. That puts the token into the logs of the server, so it is only done at level call.",
	Why:  "Addresses are written into logs of servers, proxies and browsers. A token in them is soon known to many.",
	Bad:  "POST /mcp?access_token=… → 200",
	Good: "POST /mcp?access_token=… → 401",
	Fix:  "Read the token from the Authorization header only.",
	Check: func(v *lint.View) {
		if len(challenges(v)) == 0 {
			return
		}
		asked := v.Steps(step.QueryToken)
		switch {
		case len(asked) == 0 && v.Record().Target.Credentials:
			v.NotVerified("the credentials have no bearer token to try it with")
		case len(asked) == 0:
			v.NotApplicable("no token was given to try it with")
		}
		for _, s := range asked {
			x := exchange(s)
			if x == nil || x.Status == 0 {
				v.NotVerified("there was no response to a request with a token in its address")
				continue
			}
			v.Saw()
			if x.Status/100 == 2 {
				v.Failf(s, lint.Subject{}, "a token in the query of the address is accepted")
			}
		}
	},
}
