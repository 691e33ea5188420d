package main

import (
	"net/http"
	"time"

	"mcpworks/internal/httpguard"
	"mcpworks/mcp/transport/streamable"
	"mcpworks/packs/plantuml"
)

// A request takes 10 seconds at most, whoever is slow. A sender that is too
// slow is told so in the time that is left.
const (
	readTime    = 8 * time.Second
	requestTime = 10 * time.Second
)

// mcpPath is the MCP endpoint.
const mcpPath = "/mcp"

// newHandler puts the MCP endpoint before the rest. The rest is open to pages of
// every origin, as its contract says; the endpoint is held to the protocol, which
// lets none but the server's own pages in (HTTP-2, HTTP-3).
func newHandler(listen string, cfg plantuml.Config) (http.Handler, error) {
	srv, err := plantuml.New(cfg)
	if err != nil {
		return nil, err
	}
	endpoint, err := guarded(listen, streamable.New(srv, streamable.Options{Stateless: true, MaxMessage: plantuml.MaxBody, Log: cfg.Log}))
	if err != nil {
		return nil, err
	}
	rest := plantuml.Handler(cfg)
	return within(readTime, requestTime, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == mcpPath {
			endpoint.ServeHTTP(w, r)
			return
		}
		rest.ServeHTTP(w, r)
	})), nil
}

// guarded checks Origin and Host. Under which names a server is known that
// listens on other addresses than this machine's own, nobody has said.
func guarded(listen string, endpoint http.Handler) (http.Handler, error) {
	hosts := httpguard.Hosts{Listen: listen}
	origin, err := httpguard.Origin(httpguard.OriginConfig{Hosts: hosts})
	if err != nil {
		return nil, err
	}
	endpoint = origin(endpoint)
	if !httpguard.IsLoopback(listen) {
		return endpoint, nil
	}
	host, err := httpguard.Host(httpguard.HostConfig{Hosts: hosts})
	if err != nil {
		return nil, err
	}
	return host(endpoint), nil
}

// within gives every request so much time to arrive, and to be answered.
func within(read, whole time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		now, control := time.Now(), http.NewResponseController(w)
		_ = control.SetReadDeadline(now.Add(read)) // fails only where nobody can be slow
		_ = control.SetWriteDeadline(now.Add(whole))
		next.ServeHTTP(w, r)
	})
}
