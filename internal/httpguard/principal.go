package httpguard

import (
	"context"
	"net/http"
	"slices"
	"strings"
)

// Principal is who sends a request.
type Principal struct {
	Name   string
	Scopes []string // not to be changed
}

// Has reports whether p has the scope.
func (p Principal) Has(scope string) bool { return slices.Contains(p.Scopes, scope) }

// PrincipalFrom returns the principal that Bearer found. There is none on
// exempt paths and where Bearer is not stacked.
func PrincipalFrom(ctx context.Context) (Principal, bool) {
	p, ok := ctx.Value(principalKey{}).(Principal)
	return p, ok
}

// WithPrincipal returns a context with p, for servers that learn who speaks in
// another way, and for tests.
func WithPrincipal(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, p)
}

type principalKey struct{}

// bearerKey leads to the *bearer that let a request in.
type bearerKey struct{}

// InsufficientScope answers a request whose principal may not do what it asks
// with 403 and the scopes needed (BEAR-1), in the realm and with the RefuseFunc
// of the Bearer guard that let it in.
func InsufficientScope(w http.ResponseWriter, r *http.Request, needed ...string) {
	b, ok := r.Context().Value(bearerKey{}).(*bearer)
	if !ok {
		b = &bearer{challenge: challenge(DefaultRealm)}
	}
	refusal := Refusal{
		Status:    http.StatusForbidden,
		Reason:    ReasonInsufficientScope,
		Message:   "insufficient scope",
		Challenge: b.challenge + `, error="insufficient_scope"`,
	}
	if len(needed) > 0 {
		refusal.Challenge += `, scope="` + strings.Join(needed, " ") + `"`
	}
	deny(w, r, b.config.Refuse, refusal)
}

// RequireScope lets requests pass whose principal has all the scopes and
// answers the others, and those without principal, with InsufficientScope.
func RequireScope(scopes ...string) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			p, ok := PrincipalFrom(r.Context())
			if !ok || slices.ContainsFunc(scopes, func(scope string) bool { return !p.Has(scope) }) {
				InsufficientScope(w, r, scopes...)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}
