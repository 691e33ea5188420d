package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/internal/secret"
)

// leeway is how long before its end a token is renewed.
const leeway = 10 * time.Second

// isStale says whether a token should be renewed, and can be.
func (g *grant) isStale() bool {
	return !g.refresh.IsZero() && !g.expires.IsZero() && time.Until(g.expires) < leeway
}

// renew gets a new token without asking the user.
func (t *Transport) renew(ctx context.Context, g *grant) (*grant, error) {
	if g.refresh.IsZero() {
		return nil, errors.New("there is no refresh token")
	}
	return t.exchange(ctx, g, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {g.refresh.Reveal()}})
}

// A tokenError is a refusal of an authorization server.
type tokenError struct{ code, description string }

func (e *tokenError) Error() string {
	return fmt.Sprintf("the authorization server refuses: %.100q %.300q", e.code, e.description)
}

// refusal makes an error of an answer that is none of success.
func refusal(status int, body []byte) error {
	if code := text(body, "error"); code != "" {
		return &tokenError{code, text(body, "error_description")}
	}
	return fmt.Errorf("the authorization server answers with HTTP status %d", status)
}

// exchange makes a request to the token endpoint and returns the grant with the
// token of the answer.
func (t *Transport) exchange(ctx context.Context, g *grant, form url.Values) (*grant, error) {
	form.Set("resource", g.resource)
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	switch g.from.method(g.client) {
	case methodBasic:
		credentials := &http.Request{Header: header}
		credentials.SetBasicAuth(url.QueryEscape(g.client.ID), url.QueryEscape(g.client.Secret.Reveal()))
	case methodPost:
		form.Set("client_secret", g.client.Secret.Reveal())
		form.Set("client_id", g.client.ID)
	case methodNone:
		form.Set("client_id", g.client.ID)
	default:
		return nil, fmt.Errorf("the token endpoint wants clients to authenticate with %.100q", g.client.Method)
	}
	status, body, err := t.fetch(ctx, http.MethodPost, g.from.token, header, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, fmt.Errorf("asking for a token: %w", err)
	}
	if status != http.StatusOK {
		err := refusal(status, body)
		if refused := (*tokenError)(nil); errors.As(err, &refused) && refused.code == "invalid_client" {
			t.unregister(g.from)
		}
		return nil, err
	}
	return g.with(body)
}

// with returns the grant with the token of an answer.
func (g *grant) with(body []byte) (*grant, error) {
	fresh := *g
	fresh.access = secret.New(text(body, "access_token"))
	switch kind := text(body, "token_type"); {
	case fresh.access.IsZero():
		return nil, errors.New("the answer has no token")
	case !strings.EqualFold(kind, "Bearer"):
		return nil, fmt.Errorf("the token is not for a bearer, but %.100q", kind)
	case strings.ContainsFunc(fresh.access.Reveal(), func(r rune) bool { return r <= ' ' || r > '~' }):
		return nil, errors.New("the token does not fit into a header")
	}
	if refresh := text(body, "refresh_token"); refresh != "" {
		fresh.refresh = secret.New(refresh)
	}
	fresh.expires = time.Time{}
	if seconds, err := strconv.ParseInt(string(rawjson.Member(body, "expires_in")), 10, 32); err == nil && seconds > 0 {
		fresh.expires = time.Now().Add(time.Duration(seconds) * time.Second)
	}
	return &fresh, nil
}
