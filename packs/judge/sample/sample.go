// Package sample plays the online-judge backend with a handful of invented
// problems, for trying the judge without an account and for tests. It answers
// the routes that the judge's tools use as section 4 of the judge's contract
// describes them, errors included, and keeps no state.
package sample

import (
	"crypto/subtle"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"mcpworks/internal/secret"
)

// Version is the version of the backend that the sample imitates.
const Version = "0.2.1"

// Options are for the programmer who mounts the handler.
type Options struct {
	// Token is the bearer token that /api/v1 and /status ask for (4.1). Zero
	// leaves them open.
	Token secret.String
	// Now tells the time, which decides the last day that has a daily
	// challenge; nil means time.Now.
	Now func() time.Time
}

// Handler returns the backend.
func Handler(o Options) http.Handler {
	if o.Now == nil {
		o.Now = time.Now
	}
	b := &backend{options: o, problems: loadProblems()}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/daily", b.daily)
	mux.HandleFunc("GET /api/v1/problems/{source}/{id}", b.problem)
	mux.HandleFunc("GET /api/v1/similar", b.similarToText)
	mux.HandleFunc("GET /api/v1/similar/{source}/{id}", b.similarToProblem)
	mux.HandleFunc("GET /status", b.status)
	mux.HandleFunc("/", unknownRoute)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.EscapedPath()
		private := strings.HasPrefix(path, "/api/v1/") || path == "/status"
		switch {
		case r.Method != http.MethodGet:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case path == "/health":
			writeJSON(w, map[string]string{"status": "ok"})
		case private && !b.admits(r):
			writeProblem(w, http.StatusUnauthorized, "missing or invalid token")
		case strings.HasPrefix(path, resolveRoute):
			b.resolve(w, path) // ahead of the mux, which would merge the slashes of a URL
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

type backend struct {
	options  Options
	problems []*problem
}

func (b *backend) admits(r *http.Request) bool {
	if b.options.Token.IsZero() {
		return true
	}
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return ok && subtle.ConstantTimeCompare([]byte(token), []byte(b.options.Token.Reveal())) == 1
}

// unknownRoute answers without body and content type (4.2).
func unknownRoute(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) }

func writeJSON(w http.ResponseWriter, v any) {
	write(w, http.StatusOK, "application/json", v)
}

// writeProblem answers with an RFC 7807 document (4.3).
func writeProblem(w http.ResponseWriter, status int, detail string) {
	write(w, status, "application/problem+json", struct {
		Type   string `json:"type"`
		Title  string `json:"title"`
		Status int    `json:"status"`
		Detail string `json:"detail"`
	}{"about:blank", http.StatusText(status), status, detail})
}

func write(w http.ResponseWriter, status int, contentType string, v any) {
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false) // statements stay readable in a terminal
	encoder.Encode(v)
}
