// Package rpc has the rules about JSON-RPC itself, in all transports: RPC-001
// and so on. Each has a file of its own; this one lists them. What they share
// is in claimed.go (what counts as a message), ids.go and ledger.go (what
// answers what), aftermath.go (what came of a probe), clauses.go (where demands
// are written), era.go, place.go and owners.go (which place belongs to which
// rule).
package rpc

import "mcpworks/lint"

// Rules are all of them, by their ids.
func Rules() []*lint.Rule {
	return []*lint.Rule{
		&jsonrpcField, &validJSON, &messageKind, &resultXorError, &errorObject, &idEcho, &oneResponse,
		&idForms, &nullID, &notificationSilent, &methodNotFound, &noHang, &invalidParams,
		&malformedAnswered, &parseErrorCode, &survivesGarbage, &batch,
		&errorRange, &retiredCodes, &resultObject, &resultType, &resultTypeKnown, &noModernFields,
		&serverIDReuse, &duplicateKeys, &badIDAccepted, &errorText, &wireSchema,
	}
}
