package auth

import (
	"net/http"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var badToken = lint.Rule{
	ID: "AUTH-004", Slug: "bad-token-401",
	Title:    "a token that was made up is refused with 401",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.B | lint.C | lint.D | lint.E, Transports: lint.HTTP, Level: lint.Probe,
	Rests: []lint.Clause{
		{Revisions: lint.B | lint.C | lint.D | lint.E, Page: "basic/authorization#error-handling", Demand: "A request without a token, or with one that is not valid, is answered with status 401."},
	},
	What: "Sends a request with a bearer token that was made up, to a server that answers 401 without one. The answer has to be 401 again.",
	Why:  "A server that takes any token lets everyone in. With another status than 401 clients do not fetch a new token when theirs has expired, and fail for good.",
	Bad:  "Authorization: Bearer made-up → 200",
	Good: "Authorization: Bearer made-up → 401, WWW-Authenticate: Bearer error=\"invalid_token\"",
	Fix:  "Check signature, issuer, audience and time of every token, and answer 401 with error=\"invalid_token\" if one of them fails.",
	Check: func(v *lint.View) {
		if len(challenges(v)) == 0 {
			return
		}
		for _, s := range v.Steps(step.BadToken) {
			x := exchange(s)
			if x == nil || x.Status == 0 {
				v.NotVerified("there was no response to a request with a made-up token")
				continue
			}
			v.Saw()
			switch {
			case x.Status/100 == 2:
				v.Failf(s, lint.Subject{}, "a made-up token is accepted")
			case x.Status != http.StatusUnauthorized:
				v.Failf(s, lint.Subject{}, "a made-up token is refused with HTTP status %d, not 401", x.Status)
			}
		}
	},
}
