// Package auth has the rules about credentials: AUTH-001 and so on. Each has a
// file of its own; this one lists them. They also work on a record of a server
// that let nobody in: then no revision is known, and what any of them allows is
// allowed.
package auth

import "mcpworks/lint"

// Rules are all of them, by their ids.
func Rules() []*lint.Rule {
	return []*lint.Rule{
		&discovery, &resourceMetadata, &issuerMetadata, &badToken, &noQueryToken, &scopeHint, &stdioNoOAuth,
	}
}

// discoveryPage is where the modern revision has what was part of the page about
// authorization before, and discoverySection what is on both.
const (
	discoveryPage    = "basic/authorization/authorization-server-discovery"
	discoverySection = "#protected-resource-metadata-discovery-requirements"
)
