// Package modern has the rules about the protocol without a handshake, that is
// revision 2026-07-28: MOD-001 and so on. Each has a file of its own; this one
// lists them.
package modern

import "mcpworks/lint"

// Rules are all of them, by their ids.
func Rules() []*lint.Rule {
	return []*lint.Rule{
		&discover, &discoverShape, &discoverListsUsed, &unsupportedVersion, &supportedConsistent,
		&metaRequired, &clientInfoOptional, &serverInfo, &cachingHints, &scopeSame,
		&noServerRequests, &removedMethods, &initializeHint, &logOptIn, &logThreshold, &logLevelBad,
		&capabilityError, &inputRequiredWhere, &inputRequiredShape, &inputRequiredDeclared, &stateIntegrity, &stateOpaque,
		&listenAck, &listenID, &listenFilter, &listenSupported,
		&stateless, &sameForAll, &serverCancel, &deprecated, &eraSwitch, &extensionIDs,
	}
}
