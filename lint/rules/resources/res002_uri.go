package resources

import (
	"mcpworks/lint"
	"mcpworks/mcp"
)

var uri = lint.Rule{
	ID: "RES-002", Slug: "uri",
	Title:    "the URIs of resources have a scheme and are written as RFC 3986 says",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Static, Needs: "resources",
	Rests: []lint.Clause{
		{Revisions: lint.C | lint.D | lint.E, Page: "server/resources#common-uri-schemes", Demand: "Schemes of one's own follow RFC 3986, as the well-known ones do."},
		{Revisions: lint.A | lint.B, Page: "server/resources", Demand: "Every resource is identified by a URI."},
	},
	What: "Looks at the uri of every listed resource: a scheme comes first, no character is in it that RFC 3986 does not allow, every percent sign begins an escape, and an authority is well formed. Before 2025-06-18 a flaw is a warning.",
	Why:  "Clients parse URIs to show them, compare them and send them back. A path without a scheme, or one with spaces, is changed or refused on the way, and the server does not know it again.",
	Bad:  `{"uri":"/srv/my notes.txt","name":"notes"}`,
	Good: `{"uri":"file:///srv/my%20notes.txt","name":"notes"}`,
	Fix:  "Build URIs with a library, with a scheme and with everything else than unreserved characters percent-encoded.",
	Check: func(v *lint.View) {
		for _, item := range v.Items(mcp.MethodListResources) {
			text, ok := lint.Text(lint.Member(item.Raw, "uri"))
			if !ok {
				continue // RES-001
			}
			v.Saw()
			if flaw := uriFlaw(text); flaw != "" {
				failAt(v, sinceStructured(item), item, "/uri", "%s", flaw)
			}
		}
		noneListed(v)
	},
}

// sinceStructured is error from 2025-06-18 on, and warning before.
func sinceStructured(item lint.Item) lint.Severity {
	if (lint.A | lint.B).Has(item.Message.Talk().Revision) {
		return lint.Warning
	}
	return lint.Error
}
