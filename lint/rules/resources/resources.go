// Package resources has the rules about resources and their templates: RES-001
// and so on. Each has a file of its own; this one lists them.
package resources

import "mcpworks/lint"

// Rules are all of them, by their ids.
func Rules() []*lint.Rule {
	return []*lint.Rule{
		&listShape, &uri, &unique, &readable, &contentsShape, &blob, &notFoundCode, &notFoundEmpty,
		&templateSyntax, &mime, &mimeMatch, &traversal, &subscribe, &annotations, &size, &errorData,
	}
}
