// Package oauth gets tokens for MCP servers that want them, with the
// authorization code flow of OAuth 2.1.
//
// A Transport is the transport of an HTTP client. When the server it was made
// for refuses a request, it reads the challenge, finds out whose tokens the
// server takes (discovery.go), becomes a client there (register.go), sends the
// user there (flow.go), gets a token (token.go) and sends the request again. All
// that a server says on the way is untrusted: see fetch.go.
package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"mcpworks/internal/secret"
	"mcpworks/mcp/transport/origin"
)

// A Config says who the client is, and how its user is asked.
type Config struct {
	// Server is the URL of the MCP server. Tokens are sent to its origin only.
	Server string
	// Name is what the user is shown as the name of the client.
	Name string
	// RedirectURL is where an authorization server sends the user back to. It
	// has no query.
	RedirectURL string
	// Visit has the user open an address and returns the one that the
	// authorization server redirected to. It must show where the user is sent,
	// and not open the address through a shell.
	Visit func(ctx context.Context, address string) (redirected string, err error)

	// Clients are those that were registered beforehand, by issuer.
	Clients map[string]Client
	// MetadataURL is the client's own description, and its id with
	// authorization servers that read such; empty means that there is none.
	MetadataURL string

	// Base sends requests to the MCP server; nil means http.DefaultTransport.
	Base http.RoundTripper
	// HTTPClient sends all others, none of which goes where a redirect points
	// to. Nil means one that connects to public addresses only, and to loopback
	// if the server is there.
	HTTPClient *http.Client
}

// A Client is what an authorization server knows a client by.
type Client struct {
	ID     string
	Secret secret.String // zero for a public client
	// Method is how the client authenticates at the token endpoint:
	// client_secret_basic, client_secret_post or none. Empty means one that the
	// server has.
	Method string
}

// A Transport sends requests with a token, and gets one when the server wants
// it. It may be used by any number of goroutines; the user is asked one thing at
// a time.
type Transport struct {
	cfg    Config
	server *url.URL
	turn   chan struct{} // held by whoever changes what is below

	mu         sync.Mutex
	grant      *grant            // nil if there is none
	registered map[string]Client // by issuer
	failure    error
}

// A grant is a token with all that belongs to it. It does not change.
type grant struct {
	from     *authority
	client   Client
	resource string
	scopes   []string // that were asked for, with this token or before
	access   secret.String
	refresh  secret.String // zero if there is none
	expires  time.Time     // zero if that is not known
}

// New returns a transport that has no token yet.
func New(cfg Config) (*Transport, error) {
	server, err := url.Parse(cfg.Server)
	switch {
	case err != nil || server.Scheme != "http" && server.Scheme != "https" || server.Host == "":
		return nil, errors.New("no address of a server: it is neither http:// nor https://")
	case cfg.Visit == nil || cfg.RedirectURL == "" || strings.Contains(cfg.RedirectURL, "?"):
		return nil, errors.New("no way to ask the user: Visit is needed, and RedirectURL without a query")
	}
	server.Fragment, server.RawFragment = "", ""
	if cfg.Base == nil {
		cfg.Base = http.DefaultTransport
	}
	if cfg.HTTPClient == nil {
		cfg.HTTPClient = newHTTPClient(isLoopback(server.Hostname()))
	}
	once := *cfg.HTTPClient
	once.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	cfg.HTTPClient = &once
	return &Transport{cfg: cfg, server: server, turn: make(chan struct{}, 1), registered: map[string]Client{}}, nil
}

// Err says why the last attempt to get a token has failed; nil if it has not.
func (t *Transport) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failure
}

// maxRetries is how often a request is sent again: with a token, and with one
// that allows more.
const maxRetries = 2

// RoundTrip implements http.RoundTripper. Where no token is to be had, the
// refusal of the server is the response, and Err has the reason.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if !origin.Same(req.URL, t.server) || req.Header.Get("Authorization") != "" {
		return t.cfg.Base.RoundTrip(req)
	}
	ctx := req.Context()
	for retries := 0; ; retries++ {
		used := t.current(ctx)
		resp, err := t.cfg.Base.RoundTrip(used.dress(req))
		if err != nil {
			return nil, err
		}
		c := challengeOf(resp)
		if c == nil || retries == maxRetries {
			return resp, nil
		}
		next, again := rewind(req)
		if !again || t.obtain(ctx, c, used, retries == 0) != nil {
			return resp, nil
		}
		origin.Discard(resp)
		req = next
	}
}

// dress returns the request with the token.
func (g *grant) dress(req *http.Request) *http.Request {
	if g == nil {
		return req
	}
	req = req.Clone(req.Context())
	req.Header.Set("Authorization", "Bearer "+g.access.Reveal())
	return req
}

// rewind returns a request that can be sent again, if that is possible.
func rewind(req *http.Request) (*http.Request, bool) {
	if req.Body == nil || req.Body == http.NoBody {
		return req, true
	}
	if req.GetBody == nil {
		return nil, false
	}
	body, err := req.GetBody()
	if err != nil {
		return nil, false
	}
	again := req.Clone(req.Context())
	again.Body = body
	return again, true
}

// current returns the token to use, nil for none. One that is about to expire is
// renewed; if that fails, the server will say what it wants.
func (t *Transport) current(ctx context.Context) *grant {
	g := t.held()
	if g == nil || !g.isStale() {
		return g
	}
	if t.begin(ctx) != nil {
		return g
	}
	defer t.end()
	if g = t.held(); g == nil || !g.isStale() {
		return g
	}
	fresh, err := t.renew(ctx, g)
	if err != nil {
		return g
	}
	t.hold(fresh, nil)
	return fresh
}

// obtain gets a token that answers a challenge better than the one that was
// used. Only the first time it is enough to renew that.
func (t *Transport) obtain(ctx context.Context, c *challenge, used *grant, first bool) error {
	if err := t.begin(ctx); err != nil {
		return err
	}
	defer t.end()
	if t.held() != used {
		return nil // somebody else has got one
	}
	fresh, err := t.replace(ctx, c, used, first)
	if err != nil {
		err = fmt.Errorf("getting a token: %w", err)
		fresh = used
	}
	t.hold(fresh, err)
	return err
}

// replace gets a token in place of the one that was used.
func (t *Transport) replace(ctx context.Context, c *challenge, used *grant, first bool) (*grant, error) {
	at, err := t.discover(ctx, c.metadata)
	if err != nil {
		return nil, err
	}
	known := used != nil && used.from.issuer == at.from.issuer && used.resource == at.resource
	scopes := c.scopes
	if len(scopes) == 0 {
		scopes = at.scopes
	}
	switch {
	case known && c.insufficient:
		if scopes = union(used.scopes, c.scopes); len(scopes) == len(used.scopes) {
			return nil, errors.New("the server wants no more than was asked for already")
		}
	case known:
		scopes = union(used.scopes, scopes)
		if first {
			if fresh, err := t.renew(ctx, used); err == nil {
				return fresh, nil
			}
		}
	}
	if slices.Contains(at.from.scopes, "offline_access") {
		scopes = union(scopes, []string{"offline_access"})
	}
	client, err := t.client(ctx, at.from)
	if err != nil {
		return nil, err
	}
	return t.authorize(ctx, &grant{from: at.from, client: client, resource: at.resource, scopes: scopes})
}

// union returns a with those of b that it lacks.
func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

func (t *Transport) held() *grant {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.grant
}

func (t *Transport) hold(g *grant, failure error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.grant, t.failure = g, failure
}

// begin waits until nobody else is getting a token.
func (t *Transport) begin(ctx context.Context) error {
	select {
	case t.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (t *Transport) end() { <-t.turn }

// CloseIdleConnections closes those of both clients, as far as they know how.
func (t *Transport) CloseIdleConnections() {
	t.cfg.HTTPClient.CloseIdleConnections()
	if base, ok := t.cfg.Base.(interface{ CloseIdleConnections() }); ok {
		base.CloseIdleConnections()
	}
}
