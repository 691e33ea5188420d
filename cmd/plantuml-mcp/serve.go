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

// newHandler puts the MCP endpoint before the rest. Both are open to pages of
// every origin: the tool gives away nothing but what it was given.
func newHandler(cfg plantuml.Config) (http.Handler, error) {
	srv, err := plantuml.New(cfg)
	if err != nil {
		return nil, err
	}
	open, err := httpguard.CORS(httpguard.CORSConfig{
		AnyOrigin: true,
		Methods:   []string{"POST", "OPTIONS"},
		Headers: []string{"Content-Type", "Accept", "Authorization", "Last-Event-ID",
			"Mcp-Protocol-Version", "Mcp-Session-Id", "Mcp-Method", "Mcp-Name"},
		PreflightStatus: http.StatusOK, // as on the other routes
	})
	if err != nil {
		return nil, err
	}
	endpoint := open(streamable.New(srv, streamable.Options{Stateless: true, MaxMessage: plantuml.MaxBody, Log: cfg.Log}))
	rest := plantuml.Handler(cfg)
	return within(readTime, requestTime, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == mcpPath {
			endpoint.ServeHTTP(w, r)
			return
		}
		rest.ServeHTTP(w, r)
	})), nil
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
