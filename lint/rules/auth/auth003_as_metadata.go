package auth

import (
	"slices"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var issuerMetadata = lint.Rule{
	ID: "AUTH-003", Slug: "as-metadata",
	Title:    "every authorization server that is named can be used",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.C | lint.D | lint.E, Transports: lint.HTTP, Level: lint.Probe,
	Rests: []lint.Clause{
		{Revisions: lint.C, Page: "basic/authorization", Demand: "Authorization servers publish metadata as OAuth has them; their endpoints use https, and clients use PKCE."},
		{Revisions: lint.D, Page: "basic/authorization", Demand: "Authorization servers publish metadata, as OAuth or OpenID Connect have them; their endpoints use https, and clients use PKCE with S256, which they look for there."},
		{Revisions: lint.E, Page: discoveryPage + "#authorization-server-metadata-discovery", Demand: "Authorization servers publish metadata, as OAuth or OpenID Connect have them, whose issuer is the one that they were looked up for."},
		{Revisions: lint.E, Page: "basic/authorization/security-considerations", Demand: "The endpoints of authorization servers use https, and clients use PKCE with S256, which they look for in the metadata."},
		{Page: "RFC 8414 3.3", Demand: "The issuer in the document is identical to the one from which its address was made; otherwise the document must not be used."},
	},
	What: "For every issuer in authorization_servers fetches the well-known documents of OAuth (oauth-authorization-server) and OpenID Connect (openid-configuration) in turn. One has to be a JSON object whose issuer is the same to the letter, whose authorization_endpoint and token_endpoint are https addresses, and whose code_challenge_methods_supported has S256.",
	Why:  "This is how clients log in without being set up by hand. If a piece is missing they stop there, and newer ones refuse servers that do not say that they know PKCE.",
	Bad:  `{"issuer":"https://auth.example.com/","authorization_endpoint":"http://auth.example.com/authorize","token_endpoint":"https://auth.example.com/token"}`,
	Good: `{"issuer":"https://auth.example.com","authorization_endpoint":"https://auth.example.com/authorize","token_endpoint":"https://auth.example.com/token","code_challenge_methods_supported":["S256"]}`,
	Fix:  "Compare the issuer in both documents character by character, mind the slash at the end, and list S256 in code_challenge_methods_supported.",
	Check: func(v *lint.View) {
		asked := v.Steps(step.IssuerMetadata)
		if len(asked) == 0 {
			v.NotApplicable("no authorization server is named")
		}
		var issuers []string
		for _, s := range asked {
			if !slices.Contains(issuers, s.About) {
				issuers = append(issuers, s.About)
				judgeIssuer(v, s.About, asked)
			}
		}
	},
}

func judgeIssuer(v *lint.View, issuer string, asked []*lint.Step) {
	subject := lint.Subject{Kind: "issuer", Name: issuer}
	var last *lint.Step // that was answered
	for _, s := range asked {
		x := exchange(s)
		if s.About != issuer || x == nil || x.Status == 0 {
			continue
		}
		last = s
		object := document(s)
		if object == nil {
			continue
		}
		v.Saw()
		if named, _ := lint.Text(lint.Member(object, "issuer")); named != issuer {
			v.Failf(s, subject, "the metadata of the authorization server are those of another issuer")
		}
		for _, name := range []string{"authorization_endpoint", "token_endpoint"} {
			if address, _ := lint.Text(lint.Member(object, name)); !isSecure(address) {
				v.Failf(s, subject, "%s of the authorization server is no https address", name)
			}
		}
		if !slices.Contains(texts(lint.Member(object, "code_challenge_methods_supported")), "S256") {
			v.Failf(s, subject, "the authorization server does not say that it knows PKCE with S256")
		}
		return
	}
	if last == nil {
		v.NotVerified("an authorization server could not be reached")
		return
	}
	v.Failf(last, subject, "the authorization server has no metadata at a well-known address")
}
