// Package tools has the rules about tools: how they are listed, and how they
// answer when they are called. TOOL-001 and so on each have a file of their own;
// this one lists them.
package tools

import "mcpworks/lint"

// Rules are all of them, by their ids.
func Rules() []*lint.Rule {
	return []*lint.Rule{
		&listShape, &inputSchema, &uniqueNames, &nameChars, &nameClients, &unknownTool, &requiredChecked, &typesChecked,
		&executionError, &resultShape, &structuredValid, &structuredMirror, &structuredObject, &outputSchemaRoot, &mediaEncoding,
		&annotationTypes, &annotationConflict, &annotations, &stableList, &unknownFields, &icons, &taskSupport, &empty,
		&deterministic, &callRepeatable,
	}
}
