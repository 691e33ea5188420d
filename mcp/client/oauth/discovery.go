package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"mcpworks/mcp/transport/origin"
)

// A place is where a server's tokens come from.
type place struct {
	resource string   // what the server calls itself there
	scopes   []string // all that it has
	from     *authority
}

// An authority is an authorization server, by its metadata.
type authority struct {
	issuer                     string
	authorize, token, register string   // endpoints; register may be empty
	scopes                     []string // that it lists
	methods                    []string // of authenticating clients, nil if it does not say
	namesItself                bool     // it puts its issuer into its answers
	readsMetadata              bool     // a client id can be an address
}

// discover finds out where tokens come from: from the metadata that the
// challenge points to, or from those at a well-known place. Servers of revision
// 2025-03-26 have none, and are their own authority.
func (t *Transport) discover(ctx context.Context, hint string) (*place, error) {
	object, err := t.resourceMetadata(ctx, hint)
	if errors.Is(err, errMissing) && hint == "" {
		self := (&url.URL{Scheme: t.server.Scheme, Host: t.server.Host}).String()
		from, err := t.authority(ctx, self)
		if errors.Is(err, errMissing) {
			return nil, errors.New("the server says nothing of where its tokens come from")
		}
		return &place{resource: t.server.String(), from: from}, err
	}
	if err != nil {
		return nil, fmt.Errorf("reading the server's metadata: %w", err)
	}
	at := &place{resource: text(object, "resource"), scopes: texts(object, "scopes_supported")}
	if !covers(at.resource, t.server) {
		return nil, fmt.Errorf("the server's metadata are those of %.200q", at.resource)
	}
	issuers := texts(object, "authorization_servers")
	if len(issuers) == 0 {
		return nil, errors.New("the server's metadata name no authorization server")
	}
	issuer := issuers[0]
	if i := slices.IndexFunc(issuers, func(issuer string) bool { _, known := t.cfg.Clients[issuer]; return known }); i >= 0 {
		issuer = issuers[i]
	}
	at.from, err = t.authority(ctx, issuer)
	return at, err
}

// resourceMetadata fetches the document of RFC 9728.
func (t *Transport) resourceMetadata(ctx context.Context, hint string) (object []byte, err error) {
	if hint != "" {
		return t.document(ctx, hint)
	}
	const known = "/.well-known/oauth-protected-resource"
	paths := []string{known}
	if path := strings.TrimRight(t.server.EscapedPath(), "/"); path != "" {
		paths = []string{known + path, known}
	}
	for _, path := range paths {
		if object, err = t.document(ctx, t.server.Scheme+"://"+t.server.Host+path); !errors.Is(err, errMissing) {
			break
		}
	}
	return object, err
}

// covers says whether a resource is the server, or a folder of its origin that
// the server is in, as in metadata at the root.
func covers(resource string, server *url.URL) bool {
	u, err := url.Parse(resource)
	if err != nil || u.Fragment != "" || u.RawQuery != "" && u.RawQuery != server.RawQuery || !origin.Same(u, server) {
		return false
	}
	folder := strings.TrimRight(u.EscapedPath(), "/") + "/"
	return strings.HasPrefix(strings.TrimRight(server.EscapedPath(), "/")+"/", folder)
}

// authority fetches the metadata of an authorization server: those of RFC 8414,
// or those of OpenID Connect. They have to be of the issuer that was asked for.
func (t *Transport) authority(ctx context.Context, issuer string) (*authority, error) {
	u, err := address(issuer)
	if err != nil {
		return nil, fmt.Errorf("the authorization server: %w", err)
	}
	const oauth, openid = "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"
	paths := []string{oauth, openid}
	if path := strings.TrimRight(u.EscapedPath(), "/"); path != "" {
		paths = []string{oauth + path, openid + path, path + openid}
	}
	var object []byte
	for _, path := range paths {
		if object, err = t.document(ctx, u.Scheme+"://"+u.Host+path); !errors.Is(err, errMissing) {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("reading the metadata of the authorization server: %w", err)
	}
	return newAuthority(issuer, object)
}

func newAuthority(issuer string, object []byte) (*authority, error) {
	as := &authority{
		issuer:    text(object, "issuer"),
		authorize: text(object, "authorization_endpoint"), token: text(object, "token_endpoint"),
		register:      text(object, "registration_endpoint"),
		scopes:        texts(object, "scopes_supported"),
		methods:       texts(object, "token_endpoint_auth_methods_supported"),
		namesItself:   isTrue(object, "authorization_response_iss_parameter_supported"),
		readsMetadata: isTrue(object, "client_id_metadata_document_supported"),
	}
	if as.issuer != issuer {
		return nil, fmt.Errorf("the metadata of %s are those of another authorization server", issuer)
	}
	if !slices.Contains(texts(object, "code_challenge_methods_supported"), "S256") {
		return nil, fmt.Errorf("the authorization server %s does not offer PKCE with S256", issuer)
	}
	endpoints := []string{as.authorize, as.token}
	if as.register != "" {
		endpoints = append(endpoints, as.register)
	}
	for _, endpoint := range endpoints {
		if _, err := address(endpoint); err != nil {
			return nil, fmt.Errorf("an endpoint of the authorization server: %w", err)
		}
	}
	return as, nil
}
