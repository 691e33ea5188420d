package httpguard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"
)

// The defaults of BearerConfig.
const (
	DefaultRealm       = "mcp"
	DefaultMaxFailures = 10
	DefaultWindow      = time.Minute
	DefaultMaxSources  = 4096
)

// BearerConfig configures Bearer.
type BearerConfig struct {
	// Tokens are the tokens accepted. Required.
	Tokens *Tokens
	// Realm is named in challenges; empty means DefaultRealm.
	Realm string
	// Exempt are the paths that need no token, such as a health endpoint's,
	// for GET and HEAD. They are compared exactly, without decoding.
	Exempt []string
	// MaxFailures is how many failures a source may have within any Window
	// before it gets 429. Zero means DefaultMaxFailures.
	MaxFailures int
	// Window is the time over which failures count. Zero means DefaultWindow.
	Window time.Duration
	// MaxSources bounds the sources whose failures are remembered; beyond it
	// the one that failed longest ago is forgotten. Zero means
	// DefaultMaxSources.
	MaxSources int
	// Source tells sources apart. Nil means by remote address, IPv6 by /64.
	// Behind a proxy that is the proxy's, and one bad client locks out all.
	Source func(*http.Request) string
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Refuse answers refused requests; nil means WriteRefusal.
	Refuse RefuseFunc
}

// Bearer lets requests pass that carry a token of the configuration (BEAR-1,
// BEAR-3) and puts the token's principal into their context. The handler inside
// does not see the Authorization header. All methods are treated alike, tokens
// are read from that header only, and the body is not touched.
//
// A request without usable credentials gets 401 without error attribute, a
// wrong token 401 with invalid_token, a malformed header 400. A source with
// more than MaxFailures wrong or malformed tokens in a Window gets 429 for
// further ones until the Window has passed. A good token always passes: nobody
// guesses 128 bits, and one stale client must not lock out all others behind the
// same address. Requests without credentials are not counted, because clients
// send such a request first to see what is asked.
func Bearer(config BearerConfig) (Middleware, error) {
	config.Realm = cmp.Or(config.Realm, DefaultRealm)
	config.MaxFailures = cmp.Or(config.MaxFailures, DefaultMaxFailures)
	config.Window = cmp.Or(config.Window, DefaultWindow)
	config.MaxSources = cmp.Or(config.MaxSources, DefaultMaxSources)
	if config.Source == nil {
		config.Source = remoteSource
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	switch {
	case config.Tokens == nil || len(config.Tokens.hashes) == 0:
		return nil, errors.New("bearer authentication has no tokens")
	case config.MaxFailures < 0 || config.Window < 0 || config.MaxSources < 0:
		return nil, errors.New("limits on failed authentication must not be negative")
	case strings.ContainsFunc(config.Realm, func(c rune) bool { return c < ' ' || c > '~' }):
		return nil, fmt.Errorf("realm %q must be printable ASCII", config.Realm)
	}
	b := &bearer{config: config, challenge: challenge(config.Realm), exempt: map[string]bool{}}
	for _, path := range config.Exempt {
		b.exempt[path] = true
	}
	b.attempts = newFailures(config.MaxFailures, config.Window, config.MaxSources)
	return b.handler, nil
}

type bearer struct {
	config    BearerConfig
	challenge string
	exempt    map[string]bool
	attempts  *failures // wrong and malformed
}

func (b *bearer) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if b.isExempt(r) {
			next.ServeHTTP(w, r)
			return
		}
		principal, refusal := b.authenticate(r)
		if refusal != nil {
			deny(w, r, b.config.Refuse, *refusal)
			return
		}
		ctx := context.WithValue(WithPrincipal(r.Context(), principal), bearerKey{}, b)
		r = r.WithContext(ctx)
		r.Header = maps.Clone(r.Header)
		r.Header.Del("Authorization")
		next.ServeHTTP(w, r)
	})
}

// isExempt looks at the path as it was sent: a router inside may or may not
// decode it, and must not find another path than was exempted.
func (b *bearer) isExempt(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && b.exempt[r.URL.EscapedPath()]
}

func (b *bearer) authenticate(r *http.Request) (Principal, *Refusal) {
	token, reason := parseAuthorization(r.Header.Values("Authorization"))
	if reason == "" {
		if principal, ok := b.config.Tokens.lookup(token); ok {
			return principal, nil
		}
		reason = ReasonInvalidToken
	}
	if reason != ReasonNoCredentials {
		if wait := b.attempts.fail(b.config.Source(r), b.config.Now()); wait > 0 {
			return Principal{}, tooManyFailures(wait)
		}
	}
	return Principal{}, b.refusal(reason)
}

func (b *bearer) refusal(reason Reason) *Refusal {
	refusal := &Refusal{Status: http.StatusUnauthorized, Reason: reason, Message: "authentication required", Challenge: b.challenge}
	if reason == ReasonInvalidRequest {
		refusal.Status, refusal.Message = http.StatusBadRequest, "malformed authorization"
	}
	if reason != ReasonNoCredentials {
		refusal.Challenge += `, error="` + string(reason) + `"`
	}
	return refusal
}

func tooManyFailures(wait time.Duration) *Refusal {
	return &Refusal{Status: http.StatusTooManyRequests, Reason: ReasonTooManyFailures, Message: "too many failed attempts", RetryAfter: wait}
}

// challenge is the part that all values of WWW-Authenticate begin with.
func challenge(realm string) string {
	return `Bearer realm="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(realm) + `"`
}

// parseAuthorization returns the bearer token in the values of Authorization,
// or the reason why there is none. Another scheme, or a text without any, is
// like no credentials at all; two headers, an empty one, Bearer with no token
// or with something that cannot be a token are malformed.
func parseAuthorization(values []string) (token string, reason Reason) {
	switch len(values) {
	case 0:
		return "", ReasonNoCredentials
	case 1:
	default:
		return "", ReasonInvalidRequest
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	switch {
	case !isToken(scheme):
		return "", ReasonInvalidRequest
	case asciiLower(scheme) != "bearer":
		return "", ReasonNoCredentials
	}
	token = strings.TrimLeft(token, " ")
	if !isBearerToken(token) {
		return "", ReasonInvalidRequest
	}
	return token, ""
}
