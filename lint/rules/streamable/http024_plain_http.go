package streamable

import (
	"net/url"

	"mcpworks/lint"
)

var plainHttp = lint.Rule{
	ID: "HTTP-024", Slug: "plain-http",
	Title:    "a server in the network is reached by https",
	Severity: lint.Error, Strength: lint.Quality,
	Revisions: lint.All, Transports: lint.HTTP, Level: lint.Static,
	Rests: []lint.Clause{
		other("CWE-319", "What is sent in clear text can be read and changed on its way."),
	},
	What: "Looks at the address of the server. Unless it is on this machine, it has to begin with https.",
	Why:  "Over plain http everybody on the way can read the messages and the tokens, and can change the tools and their results.",
	Bad:  "http://mcp.example.com/mcp",
	Good: "https://mcp.example.com/mcp",
	Fix:  "Put the server behind TLS and give out its https address.",
	Check: func(v *lint.View) {
		target := v.Record().Target
		address, err := url.Parse(target.URL)
		switch {
		case target.Loopback:
			v.NotApplicable("the server is on this machine")
		case err != nil || address.Scheme == "":
			v.NotVerified("the address of the server is not known")
		default:
			v.Saw()
			if address.Scheme == "http" {
				v.Fail(lint.Finding{Message: "the server is reached without encryption", Evidence: lint.Evidence{Note: "the address is " + target.URL}})
			}
		}
	},
}
