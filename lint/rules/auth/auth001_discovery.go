package auth

import (
	"slices"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var discovery = lint.Rule{
	ID: "AUTH-001", Slug: "discovery",
	Title:    "a server that wants a token says where tokens come from",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.C | lint.D | lint.E, Transports: lint.HTTP, Level: lint.Probe,
	Rests: []lint.Clause{
		{Revisions: lint.C, Page: "basic/authorization#authorization-server-location", Demand: "A 401 names the address of the resource's metadata in WWW-Authenticate."},
		{Revisions: lint.D, Page: "basic/authorization" + discoverySection, Demand: "A server names its metadata in WWW-Authenticate of a 401, or has them at the well-known address, with the path of the endpoint or at the root."},
		{Revisions: lint.E, Page: discoveryPage + discoverySection, Demand: "A server names its metadata in WWW-Authenticate of a 401, or has them at the well-known address, with the path of the endpoint or at the root."},
	},
	What: "Sends a request without credentials. If the answer is 401, its WWW-Authenticate has to have resource_metadata, or one of the well-known documents /.well-known/oauth-protected-resource (with the path of the endpoint after it, or without) has to be there. In 2025-06-18 only the header counts. A challenge of another scheme than Bearer is not about tokens.",
	Why:  "Without it a client knows that it is locked out and not where to get a key. Its user has to find a token somewhere and paste it.",
	Bad:  "HTTP/1.1 401 Unauthorized\nWWW-Authenticate: Bearer",
	Good: "HTTP/1.1 401 Unauthorized\nWWW-Authenticate: Bearer resource_metadata=\"https://mcp.example.com/.well-known/oauth-protected-resource/mcp\"",
	Fix:  "Publish the document of RFC 9728 at /.well-known/oauth-protected-resource followed by the path of the endpoint, and name it in WWW-Authenticate of every 401. If tokens are handed out by hand there is nothing to discover, and the rule can be left out.",
	Check: func(v *lint.View) {
		all := challenges(v)
		if len(all) == 0 {
			return
		}
		headerOnly := !speaks(v, lint.D|lint.E)
		for _, c := range all {
			if c.params["resource_metadata"] != "" {
				v.Saw()
				return
			}
		}
		if !slices.ContainsFunc(all, func(c challenge) bool { return c.bearer || !c.named }) {
			v.NotApplicable("no challenge is of the scheme Bearer")
			return
		}
		asked, found := wellKnown(v)
		switch {
		case found && headerOnly:
			v.Failf(all[0].step, lint.Subject{}, "a 401 does not name the metadata in WWW-Authenticate")
		case found:
			v.Saw()
		case asked || headerOnly:
			v.Failf(all[0].step, lint.Subject{}, "a 401 does not say where tokens come from, and there is no well-known document either")
		default:
			v.NotVerified("the well-known documents were not asked for")
		}
	},
}

// wellKnown says whether the well-known documents were asked for, and whether
// one was there.
func wellKnown(v *lint.View) (asked, found bool) {
	for _, s := range v.Steps(step.ResourceMetadata) {
		if x := exchange(s); s.About != step.NamedPlace && x != nil && x.Status != 0 {
			asked, found = true, found || document(s) != nil
		}
	}
	return asked, found
}
