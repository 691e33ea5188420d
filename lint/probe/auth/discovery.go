package auth

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
)

// maxIssuers is how many of the authorization servers are looked at.
const maxIssuers = 3

// discover fetches the metadata of the server, and of those who issue its tokens.
func discover(s *wire.Server, t *wire.Talk, hint string) {
	server, err := url.Parse(s.URL())
	if err != nil {
		return
	}
	f := &fetcher{t: t, host: server.Host, guarded: newGuarded(s.IsLoopback())}
	defer f.guarded.CloseIdleConnections()
	var document []byte
	for _, place := range resourcePlaces(server, hint) {
		if document = f.fetch(step.ResourceMetadata, place.name, place.address); document != nil {
			break
		}
	}
	for _, issuer := range issuers(document) {
		for _, address := range issuerPlaces(issuer) {
			if f.fetch(step.IssuerMetadata, issuer, address) != nil {
				break
			}
		}
	}
}

// A fetcher fetches documents, without credentials.
type fetcher struct {
	t       *wire.Talk
	host    string       // of the server
	guarded *http.Client // for all others
}

// fetch is a step: one GET. It returns the JSON object that came, or nil.
func (f *fetcher) fetch(name, about, address string) []byte {
	r := wire.Request{Method: http.MethodGet, URL: address, NoUsual: true, Header: http.Header{"Accept": {"application/json"}}, Limit: patience}
	if u, err := url.Parse(address); err != nil || u.Host != f.host {
		r.Client = f.guarded
	}
	return object(f.t.HTTP(name, about, r))
}

type place struct{ name, address string }

// resourcePlaces are where the server's metadata can be, best first (RFC 9728 3).
func resourcePlaces(server *url.URL, hint string) []place {
	const known = "/.well-known/oauth-protected-resource"
	origin := server.Scheme + "://" + server.Host
	var places []place
	if isWeb(hint) {
		places = append(places, place{step.NamedPlace, hint})
	}
	if path := strings.TrimRight(server.EscapedPath(), "/"); path != "" {
		places = append(places, place{step.PathPlace, origin + known + path})
	}
	return append(places, place{step.RootPlace, origin + known})
}

// issuerPlaces are where the metadata of an authorization server can be, best
// first: as OAuth has them (RFC 8414 3), and as OpenID Connect has them.
func issuerPlaces(issuer string) []string {
	const oauth, openid = "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"
	u, err := url.Parse(issuer)
	if err != nil {
		return nil
	}
	origin, path := u.Scheme+"://"+u.Host, strings.TrimRight(u.EscapedPath(), "/")
	if path == "" {
		return []string{origin + oauth, origin + openid}
	}
	return []string{origin + oauth + path, origin + openid + path, origin + path + openid}
}

// issuers are the authorization servers that a document names.
func issuers(document []byte) []string {
	var all []string
	for element := range rawjson.Elements(lint.Member(document, "authorization_servers")) {
		if issuer, ok := lint.Text(element); ok && isWeb(issuer) && !slices.Contains(all, issuer) && len(all) < maxIssuers {
			all = append(all, issuer)
		}
	}
	return all
}

// isWeb says whether a text is an address that a document can be fetched from.
func isWeb(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil
}

// object is the JSON object that was fetched; nil if it is something else.
func object(x *lint.Exchange) []byte {
	if x.Status != http.StatusOK || rawjson.Check(x.Answer, rawjson.Limits{Depth: 64}) != nil || rawjson.KindOf(x.Answer) != rawjson.Object {
		return nil
	}
	return x.Answer
}
