package auth

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"mcpworks/lint/probe/wire"
)

// bearer is the token that the user has given; empty if there is none. It is
// taken from a request that is never sent, in a talk that is never closed and so
// is no part of the record.
func bearer(ctx context.Context, s *wire.Server) string {
	if !s.HasCredentials() {
		return ""
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var held holding
	t := s.Open(ctx, wire.Opening{NoHandshake: true, Transport: wire.Streamable})
	t.Exchange(wire.Request{Method: http.MethodGet, Client: &http.Client{Transport: &held}})
	scheme, token, _ := strings.Cut(held.authorization, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// holding looks at a request instead of sending it.
type holding struct{ authorization string }

func (h *holding) RoundTrip(r *http.Request) (*http.Response, error) {
	h.authorization = r.Header.Get("Authorization")
	return nil, errors.New("not sent")
}

// placeholder stands for the token in what is recorded.
const placeholder = "redacted"

// inQuery is a request with the token in its address.
func inQuery(s *wire.Server, token string) wire.Request {
	r := knock(s, "")
	u, err := url.Parse(s.URL())
	if err != nil {
		return r
	}
	query := u.Query()
	query.Set("access_token", placeholder)
	u.RawQuery = query.Encode()
	r.URL, r.Client = u.String(), &http.Client{
		Transport:     filling{token, s.NewTransport()},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return r
}

// filling puts the token where the placeholder is.
type filling struct {
	token string
	by    http.RoundTripper
}

func (f filling) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Close = true // nobody comes back to this connection
	query := r.URL.Query()
	query.Set("access_token", f.token)
	r.URL.RawQuery = query.Encode()
	return f.by.RoundTrip(r)
}
