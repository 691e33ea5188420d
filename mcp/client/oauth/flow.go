package oauth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// authorize asks the user for a grant and completes it with its token.
func (t *Transport) authorize(ctx context.Context, g *grant) (*grant, error) {
	verifier := rand.Text() + rand.Text() // RFC 7636 wants 43 characters
	state := rand.Text()
	redirected, err := t.cfg.Visit(ctx, t.request(g, state, verifier))
	if err != nil {
		return nil, fmt.Errorf("asking the user: %w", err)
	}
	code, err := t.response(g.from, redirected, state)
	if err != nil {
		return nil, err
	}
	return t.exchange(ctx, g, url.Values{
		"grant_type": {"authorization_code"}, "code": {code},
		"redirect_uri": {t.cfg.RedirectURL}, "code_verifier": {verifier},
	})
}

// request is the address to which the user is sent.
func (t *Transport) request(g *grant, state, verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	query := url.Values{
		"response_type": {"code"}, "client_id": {g.client.ID}, "redirect_uri": {t.cfg.RedirectURL}, "state": {state},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"},
		"resource": {g.resource},
	}
	if len(g.scopes) > 0 {
		query.Set("scope", strings.Join(g.scopes, " "))
	}
	separator := "?"
	if strings.Contains(g.from.authorize, "?") {
		separator = "&"
	}
	return g.from.authorize + separator + query.Encode()
}

// response reads the address to which the user was sent back. Of an answer that
// is not known to be from the right server, as RFC 9207 has it, nothing is told.
func (t *Transport) response(as *authority, redirected, state string) (code string, err error) {
	u, err := url.Parse(redirected)
	if err != nil {
		return "", errors.New("the authorization server redirected to what is no address")
	}
	query := u.Query()
	issuers, named := query["iss"]
	at, _, _ := strings.Cut(redirected, "?")
	switch {
	case at != t.cfg.RedirectURL:
		return "", errors.New("the authorization server redirected to somewhere else")
	case query.Get("state") != state:
		return "", errors.New("the answer is not to what was asked: the state is another")
	case named && (len(issuers) != 1 || issuers[0] != as.issuer):
		return "", errors.New("the answer is from another authorization server")
	case !named && as.namesItself:
		return "", errors.New("the answer does not say from which authorization server it is")
	case query.Get("error") != "":
		return "", fmt.Errorf("the authorization server refuses: %.100q %.300q", query.Get("error"), query.Get("error_description"))
	case query.Get("code") == "":
		return "", errors.New("the answer has no code")
	}
	return query.Get("code"), nil
}
