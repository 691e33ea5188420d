package auth

import (
	"net/url"
	"slices"
	"strings"

	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp/transport/origin"
)

var resourceMetadata = lint.Rule{
	ID: "AUTH-002", Slug: "resource-metadata",
	Title:    "the server's metadata are about it, and name an authorization server",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.C | lint.D | lint.E, Transports: lint.HTTP, Level: lint.Probe,
	Rests: []lint.Clause{
		{Revisions: lint.C | lint.D, Page: "basic/authorization#authorization-server-location", Demand: "A protected server publishes metadata that name at least one authorization server."},
		{Revisions: lint.E, Page: discoveryPage + "#authorization-server-location", Demand: "A protected server publishes metadata that name at least one authorization server."},
		{Page: "RFC 9728 3.3", Demand: "The value of resource is the identifier of the resource that was asked about; otherwise the document must not be used."},
	},
	What: "Fetches the document that a 401 names, or the well-known one. It has to be a JSON object; resource has to have the origin of the endpoint and to be its path or a folder above it; authorization_servers has to have at least one https address (http on the same machine will do).",
	Why:  "Clients check the document before they send a user to log in somewhere. If it does not fit they stop, because a token for one server must not be used at another.",
	Bad:  `{"resource":"http://localhost:3000","authorization_servers":[]}`,
	Good: `{"resource":"https://mcp.example.com/mcp","authorization_servers":["https://auth.example.com"]}`,
	Fix:  "Write the address that users give to their clients into resource, also behind a proxy, and the issuer of the tokens into authorization_servers.",
	Check: func(v *lint.View) {
		documents := 0
		for _, s := range v.Steps(step.ResourceMetadata) {
			x := exchange(s)
			if x == nil || x.Status == 0 {
				v.NotVerified("the metadata could not be fetched")
				continue
			}
			object := document(s)
			switch {
			case object == nil && s.About == step.NamedPlace && x.Status != 200:
				v.Failf(s, lint.Subject{}, "the metadata that a 401 names are answered with HTTP status %d", x.Status)
				continue
			case object == nil && x.Status == 200:
				v.Failf(s, lint.Subject{}, "the metadata are not a JSON object")
				continue
			case object == nil:
				continue
			}
			documents++
			v.Saw()
			judgeResource(v, s, object)
		}
		if documents == 0 {
			v.NotApplicable("the server publishes no metadata")
		}
	},
}

func judgeResource(v *lint.View, s *lint.Step, object []byte) {
	resource, _ := lint.Text(lint.Member(object, "resource"))
	switch {
	case resource == "":
		v.Failf(s, lint.Subject{}, "the metadata lack resource")
	case !covers(resource, v.Record().Target.URL):
		v.Failf(s, lint.Subject{}, "resource in the metadata is not the address of this server")
	}
	issuers := texts(lint.Member(object, "authorization_servers"))
	switch {
	case len(issuers) == 0:
		v.Failf(s, lint.Subject{}, "the metadata name no authorization server")
	case !slices.ContainsFunc(issuers, isSecure):
		v.Failf(s, lint.Subject{}, "the metadata name no authorization server with https")
	}
}

// covers says whether a resource is the server, or a folder of its origin that
// the server is in.
func covers(resource, server string) bool {
	r, err := url.Parse(resource)
	s, err2 := url.Parse(server)
	if err != nil || err2 != nil || r.Fragment != "" || r.RawQuery != "" && r.RawQuery != s.RawQuery || !origin.Same(r, s) {
		return false
	}
	folder := strings.TrimRight(r.EscapedPath(), "/") + "/"
	return strings.HasPrefix(strings.TrimRight(s.EscapedPath(), "/")+"/", folder)
}
