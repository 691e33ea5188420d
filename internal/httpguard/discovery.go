package httpguard

import (
	"net/http"
	"slices"
	"strings"
)

// Discovery404 answers 404, without asking for credentials, on the paths where
// clients look for an authorization server (BEAR-2): a server with static
// tokens has none, and a 401 there would make clients go on searching. It
// stands outside Bearer. The metadata documents are also looked for below a
// resource's path and, for OpenID, at the end of it; those are answered alike.
func Discovery404(next http.Handler) http.Handler {
	refusal := Refusal{Status: http.StatusNotFound, Reason: ReasonNoDiscovery, Message: "not found"}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isDiscovery(r.URL.Path) {
			deny(w, r, nil, refusal)
			return
		}
		next.ServeHTTP(w, r)
	})
}

var (
	authorizationPaths = []string{"/authorize", "/token", "/register"}
	metadataPaths      = []string{
		"/.well-known/oauth-protected-resource",
		"/.well-known/oauth-authorization-server",
		openIDPath,
	}
)

const openIDPath = "/.well-known/openid-configuration"

func isDiscovery(path string) bool {
	return slices.Contains(authorizationPaths, path) ||
		strings.HasSuffix(path, openIDPath) ||
		slices.ContainsFunc(metadataPaths, func(metadata string) bool {
			rest, ok := strings.CutPrefix(path, metadata)
			return ok && (rest == "" || rest[0] == '/')
		})
}
