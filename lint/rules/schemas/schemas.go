// Package schemas has the rules about the JSON Schemas that a server sends: those
// of its tools, and those of what it asks users for. SCH-001 and so on each have
// a file of their own; this one lists them.
package schemas

import "mcpworks/lint"

// Rules are all of them, by their ids.
func Rules() []*lint.Rule {
	return []*lint.Rule{
		&metaschema, &dialect, &refExternal, &refDangling, &refCycle, &requiredKnown, &requiredForm, &arrayItems, &untyped,
		&enumEmpty, &enumUnique, &defaultValid, &bounds, &pattern, &patternCost, &satisfiable, &unknownKeywords, &rootCombinator,
		&size, &typeArray, &booleanSubschema, &closedObject, &propertyNames, &dialectMix, &format, &caseTwins, &examples,
		&validationCost, &elicitation,
	}
}
