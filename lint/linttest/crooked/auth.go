package crooked

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

// Token is the one that opens a locked server.
const Token = "let-me-in-please"

var authFaults = []Fault{
	{Rule: "AUTH-001", Mute: true, Web: lock{challenge: `Bearer scope="memos"`, hidden: true}.guard},
	{Rule: "AUTH-002", Mute: true, Web: lock{resource: `{"resource":"https://elsewhere.example/mcp","authorization_servers":["%s"]}`}.guard},
	{Rule: "AUTH-003", Mute: true, Web: lock{issuer: `{"issuer":"%s","authorization_endpoint":"%s/authorize","token_endpoint":"%s/token"}`}.guard},
	{Rule: "AUTH-004", Mute: true, Web: lock{opens: func(r *http.Request) bool { return r.Header.Get("Authorization") != "" }}.guard},
	{Rule: "AUTH-005", Token: Token, Web: lock{opens: func(r *http.Request) bool { return r.URL.Query().Get("access_token") == Token }}.guard},
	{Rule: "AUTH-006", Mute: true, Web: lock{challenge: `Bearer resource_metadata="%s` + resourcePath + `"`}.guard},
	{Rule: "AUTH-007", Start: func() {
		fmt.Fprintln(os.Stderr, "please log in at https://login.example/authorize?client_id=crooked&response_type=code")
	}},
}

const (
	resourcePath = "/.well-known/oauth-protected-resource" + StreamablePath
	issuerPath   = "/.well-known/oauth-authorization-server"
)

// A lock lets only those in who have the token, and says where to get one. What
// is empty is as it should be; %s stands for the server's own origin.
type lock struct {
	challenge string
	resource  string // the document about the server
	issuer    string // and that about the authorization server
	hidden    bool   // there are no documents
	opens     func(*http.Request) bool
}

// Locked is a healthy server that wants a token. Unlocked is the same for those
// who have it, and Far is on another machine.
var (
	Locked   = Fault{Mute: true, Web: lock{}.guard}
	Unlocked = Fault{Token: Token, Web: lock{}.guard}
	Far      = Fault{Token: Token, Web: lock{}.guard, Remote: true, TLS: true}
)

func (l lock) guard(next http.Handler) http.Handler {
	challenge := cmp.Or(l.challenge, `Bearer resource_metadata="%s`+resourcePath+`", scope="memos"`)
	documents := map[string]string{
		resourcePath: cmp.Or(l.resource, `{"resource":"%s/mcp","authorization_servers":["%s"]}`),
		issuerPath:   cmp.Or(l.issuer, `{"issuer":"%s","authorization_endpoint":"%s/authorize","token_endpoint":"%s/token","code_challenge_methods_supported":["S256"]}`),
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := "http://" + r.Host
		if r.TLS != nil {
			origin = "https://" + r.Host
		}
		if document := documents[r.URL.Path]; document != "" && !l.hidden {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, strings.ReplaceAll(document, "%s", origin))
			return
		}
		if r.Header.Get("Authorization") != "Bearer "+Token && (l.opens == nil || !l.opens(r)) {
			w.Header().Set("WWW-Authenticate", strings.ReplaceAll(challenge, "%s", origin))
			http.Error(w, "a token is needed", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}
