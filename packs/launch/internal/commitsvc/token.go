package commitsvc

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"mcpworks/internal/secret"
)

// What a token may be for.
const (
	ScopeCommit = "commit"
	ScopeOpenPR = "open_pr"
)

// A Grant is what a token is good for.
type Grant struct {
	Scopes  []string
	Expires time.Time // zero means never
}

// A Verifier says what a token is good for; ok is false for one that it does
// not know. An error means that it could not find out.
type Verifier func(ctx context.Context, token string) (grant Grant, ok bool, err error)

// A Token is one that a service accepts.
type Token struct {
	Secret secret.String
	Grant
}

// Tokens verifies by a list. Hashes are compared, all of them and in constant
// time, so that the time of an answer tells nothing about any token.
func Tokens(tokens ...Token) Verifier {
	hashes := make([][sha256.Size]byte, len(tokens))
	for i, token := range tokens {
		hashes[i] = sha256.Sum256([]byte(token.Secret.Reveal()))
	}
	return func(_ context.Context, given string) (grant Grant, ok bool, err error) {
		hash := sha256.Sum256([]byte(given))
		for i := range hashes {
			if subtle.ConstantTimeCompare(hash[:], hashes[i][:]) == 1 {
				grant, ok = tokens[i].Grant, true
			}
		}
		return grant, ok, nil
	}
}

const (
	// verdictLife is how long it is remembered whether a token is good.
	verdictLife = 5 * time.Minute
	maxVerdicts = 1024
	maxToken    = 4096
)

// verdicts remember what the verifier said. Tokens themselves are not kept.
type verdicts struct {
	verify Verifier
	now    func() time.Time

	mu    sync.Mutex
	known map[[sha256.Size]byte]verdict
}

type verdict struct {
	grant Grant
	ok    bool
	until time.Time
}

// of asks the verifier about a token unless it has done so a short time ago.
func (v *verdicts) of(ctx context.Context, token string) (Grant, error) {
	hash := sha256.Sum256([]byte(token))
	now := v.now()
	v.mu.Lock()
	known, found := v.known[hash]
	v.mu.Unlock()
	if !found || !now.Before(known.until) {
		grant, ok, err := v.verify(ctx, token)
		if err != nil {
			return Grant{}, &fault{code: Unavailable, message: "the token could not be checked", cause: err}
		}
		known = verdict{grant, ok, now.Add(verdictLife)}
		v.keep(hash, known)
	}
	if !known.ok || !known.grant.Expires.IsZero() && !now.Before(known.grant.Expires) {
		return Grant{}, refuse(InvalidToken, "the token is not valid")
	}
	return known.grant, nil
}

func (v *verdicts) keep(hash [sha256.Size]byte, known verdict) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.known) >= maxVerdicts {
		clear(v.known)
	}
	v.known[hash] = known
}

// bearer reads the token of a request; there is none if it is malformed.
func bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || len(token) > maxToken || strings.ContainsAny(token, " \t") {
		return ""
	}
	return token
}

func (g Grant) has(scope string) bool { return slices.Contains(g.Scopes, scope) }
