package redact

import (
	"slices"
	"strings"
)

// secretEndings are how the names of members end whose values are secret.
var secretEndings = []string{
	"token", "key", "secret", "password", "passwd", "pwd", "authorization", "credential", "credentials", "cookie", "apikey",
}

// plainEndings are how names end that only look like those. scope_key names the
// section of a work item and has to survive in the event log.
var plainEndings = []string{
	"_env", "_hash", "_sha256", "idempotency_key", "cache_key", "adapter_key", "scope_key",
}

// IsSecretName says whether a member of this name holds a secret. Neither case
// nor the choice between hyphen and underscore matters.
func IsSecretName(name string) bool {
	name = strings.ToLower(strings.ReplaceAll(name, "-", "_"))
	ends := func(ending string) bool { return strings.HasSuffix(name, ending) }
	return slices.ContainsFunc(secretEndings, ends) && !slices.ContainsFunc(plainEndings, ends)
}
