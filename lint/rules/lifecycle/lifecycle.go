// Package lifecycle has the rules about how a talk begins and what was agreed
// then: LIFE-001 and so on. Each has a file of its own; this one lists them.
package lifecycle

import "mcpworks/lint"

// Rules are all of them, by their ids.
func Rules() []*lint.Rule {
	return []*lint.Rule{
		&initializeAnswered,
		&initializeFields,
		&versionEcho,
		&versionUnknown,
		&versionKnown,
		&versionLatest,
		&versionOld,
		&capabilityShape,
		&declaredImplemented,
		&implementedDeclared,
		&subcapability,
		&templatesList,
		&quietBeforeInitialized,
		&quietBeforeResponse,
		&initializeParams,
		&ping,
		&secondInitialize,
		&aliveAfterHandshake,
		&instructionsType,
		&implementationFields,
		&versionHonest,
		&undeclaredClientCapability,
		&rootsStorm,
		&listChangedDeclared,
		&logDeclared,
		&logShape,
	}
}
