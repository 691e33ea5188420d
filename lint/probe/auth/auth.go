// Package auth finds out what a server says to those who have no credentials,
// and what it publishes about where to get them. It logs in nowhere.
package auth

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"time"

	"mcpworks/internal/version"
	"mcpworks/lint"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// Plans are those for a server over HTTP that wants credentials: it let nobody
// in, or the user has given some.
func Plans(s *wire.Server) []wire.Plan {
	locked := s.Legacy() == nil && s.Modern() == nil
	if s.URL() == "" || !locked && !s.HasCredentials() {
		return nil
	}
	return []wire.Plan{{Phase: step.Auth, Level: lint.Probe, Run: probe}}
}

// patience is how long each request may take.
const patience = 5 * time.Second

// probe asks without credentials, follows what the refusal says, and tries
// tokens that should not be taken.
func probe(ctx context.Context, s *wire.Server) {
	t := s.Open(ctx, wire.Opening{Phase: step.Auth, NoHandshake: true, Transport: wire.Streamable})
	defer t.Close()
	x := t.HTTP(step.Challenge, "", knock(s, ""))
	if x.Status != http.StatusUnauthorized {
		return
	}
	discover(s, t, named(x))
	t.HTTP(step.BadToken, "", knock(s, "Bearer mcplint-made-up-token"))
	if s.Level() < lint.Call {
		return // the server may write the address into its logs
	}
	if token := bearer(ctx, s); token != "" {
		t.HTTP(step.QueryToken, "", inQuery(s, token))
	}
}

// handshake is an initialize of the newest legacy revision.
var handshake = fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"mcplint","version":%q}}}`,
	mcp.V20251125.Version, version.Number)

// knock is the first request of a client, with these credentials only: it opens
// the stream of HTTP+SSE, or begins the handshake.
func knock(s *wire.Server, credentials string) wire.Request {
	r := wire.Request{
		Method: http.MethodPost, Body: []byte(handshake), NoUsual: true, Limit: patience,
		Header: http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}},
	}
	if s.Transport() == wire.SSE {
		r.Method, r.Body, r.Hold = http.MethodGet, nil, glimpse
		r.Header = http.Header{"Accept": {"text/event-stream"}}
	}
	if credentials != "" {
		r.Header.Set("Authorization", credentials)
	}
	return r
}

// glimpse is how long a stream is looked at that should not be there.
const glimpse = 250 * time.Millisecond

// metadata is the parameter of a challenge that leads to the server's metadata.
var metadata = regexp.MustCompile(`(?i)\bresource_metadata\s*=\s*"?([^",\s]+)`)

// named is the address that a challenge names; empty if it names none.
func named(x *lint.Exchange) string {
	for _, line := range x.Response.Values("WWW-Authenticate") {
		if found := metadata.FindStringSubmatch(line); found != nil {
			return found[1]
		}
	}
	return ""
}
