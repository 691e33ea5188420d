package httpguard

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// corsHeaders renders the headers that matter, in a fixed order.
func corsHeaders(h http.Header) string {
	var lines []string
	for _, name := range []string{"Access-Control-Allow-Origin", "Access-Control-Allow-Methods", "Access-Control-Allow-Headers",
		"Access-Control-Expose-Headers", "Access-Control-Max-Age", "Access-Control-Allow-Credentials", "Vary"} {
		for _, value := range h.Values(name) {
			lines = append(lines, strings.TrimPrefix(name, "Access-Control-")+"="+value)
		}
	}
	return strings.Join(lines, "; ")
}

func TestCORSPolicies(t *testing.T) {
	open := CORSConfig{AnyOrigin: true, Methods: []string{"POST", "OPTIONS"}, Headers: []string{"Content-Type"}, PreflightStatus: 200}
	listed := CORSConfig{
		Origins: []string{"https://app.example", "http://dev.example:3000"}, Methods: []string{"GET", "POST", "DELETE"},
		Headers: []string{"Content-Type", "Authorization"}, Expose: []string{"Mcp-Session-Id"}, MaxAge: 10 * time.Minute,
	}
	const openHeaders = "Allow-Origin=*; Allow-Methods=POST, OPTIONS; Allow-Headers=Content-Type"
	const granted = "Allow-Origin=https://app.example; Expose-Headers=Mcp-Session-Id; Vary=Origin"
	const preflight = "Allow-Origin=https://app.example; Allow-Methods=GET, POST, DELETE; Allow-Headers=Content-Type, Authorization; Expose-Headers=Mcp-Session-Id; Max-Age=600; Vary=Origin"
	const app, evil, ask = "Origin: https://app.example", "Origin: https://evil.example", "Access-Control-Request-Method: POST"
	for _, tt := range []struct {
		name    string
		config  CORSConfig
		method  string
		headers []string
		status  int
		body    string
		want    string
	}{
		{"open", open, "POST", []string{evil}, 200, "served", openHeaders},
		{"open without origin", open, "POST", nil, 200, "served", openHeaders},
		{"open preflight", open, "OPTIONS", []string{evil, ask}, 200, "", openHeaders},
		{"open OPTIONS without origin", open, "OPTIONS", nil, 200, "", openHeaders},
		{"open with null", open, "POST", []string{"Origin: null"}, 200, "served", openHeaders},
		{"listed", listed, "POST", []string{app}, 200, "served", granted},
		{"listed, default port", listed, "GET", []string{"Origin: https://app.example:443"}, 200, "served", "Allow-Origin=https://app.example:443; Expose-Headers=Mcp-Session-Id; Vary=Origin"},
		{"listed preflight", listed, "OPTIONS", []string{app, ask}, 204, "", preflight},
		{"listed OPTIONS, no preflight", listed, "OPTIONS", []string{app}, 200, "served", granted},
		{"not listed", listed, "POST", []string{evil}, 200, "served", "Vary=Origin"},
		{"not listed preflight", listed, "OPTIONS", []string{evil, ask}, 204, "", "Vary=Origin"},
		{"listed, null", listed, "POST", []string{"Origin: null"}, 200, "served", "Vary=Origin"},
		{"listed, two origins", listed, "POST", []string{app, evil}, 200, "served", "Vary=Origin"},
		{"listed, none", listed, "POST", nil, 200, "served", "Vary=Origin"},
		{"zero", CORSConfig{}, "POST", []string{app}, 200, "served", ""},
		{"zero preflight", CORSConfig{}, "OPTIONS", []string{app, ask}, 200, "served", ""},
	} {
		server := start(t, served, must(CORS(tt.config))(t))
		got := send(t, tt.method, server.URL, tt.headers...)
		if got.status != tt.status || got.body != tt.body || corsHeaders(got.header) != tt.want {
			t.Errorf("%s: %d %q %s\nwant %d %q %s", tt.name, got.status, got.body, corsHeaders(got.header), tt.status, tt.body, tt.want)
		}
	}
}

func TestCORSBadConfigurationIsRefused(t *testing.T) {
	for name, config := range map[string]CORSConfig{
		"any and listed": {AnyOrigin: true, Origins: []string{"https://app.example"}},
		"method":         {Methods: []string{"GET POST"}},
		"header":         {Headers: []string{"X-A\r\nX-B"}},
		"expose":         {Expose: []string{""}},
	} {
		if _, err := CORS(config); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// The stack of the package comment: a preflight needs no token, a listed page
// can read the 401, and all replies carry the headers of HTTP-17.
func TestHTTP17HeadersAndTheWholeStack(t *testing.T) {
	const page = "https://app.example"
	server := start(t, whoami,
		Headers(HeadersConfig{Streams: true, StrictTransport: time.Hour}),
		hostGuard(t, Hosts{}),
		must(Origin(OriginConfig{Origins: []string{page}}))(t),
		must(CORS(CORSConfig{Origins: []string{page}, Methods: []string{"POST"}}))(t),
		Discovery404,
		bearerGuard(t, BearerConfig{}),
	)
	for _, tt := range []struct {
		method, path string
		headers      []string
		status       int
		readable     bool
	}{
		{"POST", "/mcp", []string{"Authorization: Bearer " + goodToken}, 200, false},
		{"POST", "/mcp", []string{"Authorization: Bearer " + goodToken, "Origin: " + page}, 200, true},
		{"POST", "/mcp", []string{"Origin: " + page}, 401, true},
		{"POST", "/mcp", []string{"Authorization: Bearer " + goodToken, "Origin: https://evil.example"}, 403, false},
		{"POST", "/mcp", []string{"Authorization: Bearer " + goodToken, "Host: evil.example"}, 403, false},
		{"OPTIONS", "/mcp", []string{"Origin: " + page, "Access-Control-Request-Method: POST"}, 204, true},
		{"GET", "/.well-known/oauth-protected-resource", []string{"Origin: " + page}, 404, true},
	} {
		got := send(t, tt.method, server.URL+tt.path, tt.headers...)
		if readable := got.header.Get("Access-Control-Allow-Origin") == page; got.status != tt.status || readable != tt.readable {
			t.Errorf("%s %s %v: %d, readable %v; want %d, %v", tt.method, tt.path, tt.headers, got.status, readable, tt.status, tt.readable)
		}
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "X-Accel-Buffering": "no", "Strict-Transport-Security": "max-age=3600",
		} {
			if value := got.header.Get(name); value != want {
				t.Errorf("%s %s %v: %s is %q, want %q", tt.method, tt.path, tt.headers, name, value, want)
			}
		}
	}
	plain := send(t, "GET", start(t, served, Headers(HeadersConfig{})).URL)
	if plain.header.Get("X-Accel-Buffering") != "" || plain.header.Get("Strict-Transport-Security") != "" || plain.header.Get("Cache-Control") != "no-store" {
		t.Errorf("without asking: %v", plain.header)
	}
}
