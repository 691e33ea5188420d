// Package httpguard answers "who may speak": it checks the bind address before
// a server listens, and the Host, the Origin and the bearer token of every
// request before its body is read; it also grants other origins access (CORS).
//
// The guards are plain net/http middleware and do not know of each other. The
// program picks those it wants; where it stacks all of them the order is, from
// the outside in:
//
//	Headers, Host, Origin, CORS, Discovery404, Bearer
//
// so that a refusal carries the security headers, a preflight needs no token,
// and a page that CORS lets in can read a 401. No guard reads a request's body
// or trusts a forwarding header such as X-Forwarded-For.
package httpguard

import (
	"encoding/json"
	"math"
	"net/http"
	"strconv"
	"time"
)

// Middleware is the shape of all guards.
type Middleware = func(http.Handler) http.Handler

// Reason says which check refused a request. The list is closed.
type Reason string

const (
	ReasonHost              Reason = "host"               // Host missing, unreadable or not allowed
	ReasonOrigin            Reason = "origin"             // Origin present and not allowed
	ReasonNoCredentials     Reason = "no_credentials"     // no Authorization, or another scheme
	ReasonInvalidRequest    Reason = "invalid_request"    // Authorization malformed or given twice
	ReasonInvalidToken      Reason = "invalid_token"      // well-formed token, not one of ours
	ReasonInsufficientScope Reason = "insufficient_scope" // good token, operation not allowed
	ReasonTooManyFailures   Reason = "too_many_failures"  // the source has failed too often
	ReasonNoDiscovery       Reason = "no_discovery"       // there is no authorization server to find
)

// Refusal is a guard's no. It never holds anything that the request said.
type Refusal struct {
	Status     int
	Reason     Reason
	Message    string        // fixed text for the caller
	Challenge  string        // value of WWW-Authenticate, or empty
	RetryAfter time.Duration // value of Retry-After, or zero
}

// RefuseFunc answers a refused request. The headers that belong to the refusal
// (WWW-Authenticate, Retry-After) are already set on w. A program gives its own
// to audit refusals or to dress them differently; it may call WriteRefusal.
type RefuseFunc func(w http.ResponseWriter, r *http.Request, refusal Refusal)

// WriteRefusal answers with a JSON-RPC error without id. It is what guards use
// that are given no RefuseFunc. The error's code is the HTTP status: it lies
// outside the range that JSON-RPC reserves, so it cannot be taken for a code of
// the protocol.
func WriteRefusal(w http.ResponseWriter, _ *http.Request, refusal Refusal) {
	type rpcError struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	body, err := json.Marshal(struct {
		Version string   `json:"jsonrpc"`
		Error   rpcError `json:"error"`
	}{"2.0", rpcError{refusal.Status, refusal.Message}})
	if err != nil {
		body = nil // cannot happen: an int and two strings
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(refusal.Status)
	w.Write(body) // a client that has gone needs no answer
}

// deny sets the refusal's headers and lets refuse, or WriteRefusal, answer.
func deny(w http.ResponseWriter, r *http.Request, refuse RefuseFunc, refusal Refusal) {
	if refusal.Challenge != "" {
		w.Header().Set("WWW-Authenticate", refusal.Challenge)
	}
	if refusal.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(refusal.RetryAfter.Seconds()))))
	}
	if refuse == nil {
		refuse = WriteRefusal
	}
	refuse(w, r, refusal)
}
