// Package ojapi asks the online-judge backend for problems. It knows the
// routes, the bodies and the ways to fail; how an answer is shown is decided by
// the caller. Section numbers refer to the judge's contract.
package ojapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"mcpworks/internal/bounded"
	"mcpworks/internal/logging"
	"mcpworks/internal/secret"
)

const (
	// DefaultTimeout covers a whole exchange with redirects and body (section 3).
	DefaultTimeout = 30 * time.Second
	// MaxConnections is how many connections are kept open.
	MaxConnections = 256
	// maxRedirects is how many redirects are followed (section 3).
	maxRedirects = 10
	// maxBody is how much of a decoded response body is kept (sections 3, 10).
	maxBody = 1_048_576
	// maxExcerpt is how many scalars of a body are shown in an error text
	// (section 10) or logged (section 11).
	maxExcerpt = 500
)

// Config says which backend to ask and how.
type Config struct {
	// Origin is where the backend is; required.
	Origin Origin
	// Token is sent as bearer token to Origin and nowhere else; zero sends none.
	Token secret.String
	// Log gets a line per request at debug and bodies at trace; nil logs nothing.
	Log *slog.Logger
	// Version is told to the backend in the User-Agent.
	Version string
	// Timeout replaces DefaultTimeout when it is not zero.
	Timeout time.Duration
	// Transport replaces the network in tests; nil means the network.
	Transport http.RoundTripper
}

// Client asks one backend. It keeps connections open but no state between
// calls, and may be used by many goroutines.
type Client struct {
	origin    Origin
	token     secret.String
	redactor  *secret.Redactor
	log       *slog.Logger
	userAgent string
	timeout   time.Duration
	http      *http.Client
}

// New returns a client. Nothing is sent before its first call.
func New(cfg Config) *Client {
	c := &Client{
		origin:    cfg.Origin,
		token:     cfg.Token,
		redactor:  secret.NewRedactor(cfg.Token),
		log:       cfg.Log,
		userAgent: "oj-mcp-rs/" + cfg.Version,
		timeout:   cfg.Timeout,
		http:      &http.Client{Transport: cfg.Transport},
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	if c.timeout == 0 {
		c.timeout = DefaultTimeout
	}
	if c.http.Transport == nil {
		c.http.Transport = newTransport()
	}
	c.http.CheckRedirect = c.checkRedirect
	return c
}

// newTransport has room for many idle connections to the one host, and no
// timeouts of its own: a server that never answers takes the whole
// DefaultTimeout (invariant 7), also when it stalls in the TLS handshake.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:   true,
		MaxIdleConns:        MaxConnections,
		MaxIdleConnsPerHost: MaxConnections,
		IdleConnTimeout:     90 * time.Second,
	}
}

// HasToken reports whether the client sends a token.
func (c *Client) HasToken() bool { return !c.token.IsZero() }

// Redact replaces the token in text that came from the backend.
func (c *Client) Redact(text string) string { return c.redactor.String(text) }

// checkRedirect follows maxRedirects redirects. The token goes along while every
// hop stays in the origin and is dropped for good at the first that does not
// (section 3, invariants 12 and 13): the standard library looks at neither
// scheme nor port. The Referer would tell the query to foreign hosts.
func (c *Client) checkRedirect(req *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return fmt.Errorf("stopped after %d redirects", maxRedirects)
	}
	sendAgain(req.Context())
	req.Header.Del("Referer")
	req.Header.Del("Authorization")
	foreign := func(hop *http.Request) bool { return !c.origin.holds(hop.URL) }
	if !foreign(req) && !slices.ContainsFunc(via, foreign) {
		c.authorize(req)
	}
	return nil
}

func (c *Client) authorize(req *http.Request) {
	if c.HasToken() {
		req.Header.Set("Authorization", "Bearer "+c.token.Reveal())
	}
}

// response is what is left of an HTTP response once its body was read.
type response struct {
	status int
	isJSON bool
	body   []byte
}

// get asks for target, a path with an optional query. It fails only with a
// *TransportError.
func (c *Client) get(ctx context.Context, target string) (response, error) {
	start := time.Now()
	limited, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	r, stage, err := c.exchange(limited, target)
	if r.status >= 400 && ctx.Err() == nil {
		err = nil // an error status is an answer even when its body breaks off (invariant 21)
	}
	if err != nil {
		err = c.transportError(ctx, limited, stage, err)
	}
	c.logRequest(ctx, target, r, err, time.Since(start))
	return r, err
}

// exchange sends the request and reads the answer. A failure comes with the
// stage it happened in, and with what was received before.
func (c *Client) exchange(ctx context.Context, target string) (r response, stage string, err error) {
	ctx, cancel := sendOnce(ctx)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.origin.String()+target, nil)
	if err != nil {
		return r, stageRequest, err
	}
	req.Header.Set("User-Agent", c.userAgent)
	c.authorize(req)
	resp, err := c.http.Do(req)
	if err != nil {
		if errors.Is(context.Cause(ctx), errRepeat) {
			err = errRepeat
		}
		return r, stageRequest, err
	}
	defer resp.Body.Close()
	r.status, r.isJSON = resp.StatusCode, isJSON(resp.Header.Get("Content-Type"))
	// Nothing is read beyond the cap: a backend that stalls there has said all
	// that counts.
	r.body, _, err = bounded.Read(io.LimitReader(resp.Body, maxBody), maxBody)
	return r, stageBody, err
}

// transportError tells the client's own timeout from the end of the caller's
// patience, and both from a failure of the network.
func (c *Client) transportError(caller, limited context.Context, stage string, err error) error {
	e := &TransportError{Stage: stage, cause: innermost(err)}
	switch {
	case errors.Is(caller.Err(), context.Canceled):
		e.Reason, e.cause = "cancelled", caller.Err()
	case caller.Err() != nil:
		e.Reason, e.cause = "timed out", caller.Err()
	case limited.Err() != nil:
		e.Reason, e.cause = "timed out after "+c.timeout.String(), limited.Err()
	default:
		e.Reason = c.redactor.String(reason(err))
	}
	return e
}

// isJSON is the content check of section 3.
func isJSON(contentType string) bool {
	t := strings.ToLower(strings.TrimSpace(contentType))
	return strings.HasPrefix(t, "application/json") || strings.HasPrefix(t, "application/problem+json")
}

// excerpt is the part of a body that may be shown: valid UTF-8, without the
// token, at most maxExcerpt scalars. The token is looked for a little beyond
// the cut, so that no half of it is shown.
func (c *Client) excerpt(body []byte) string {
	text := strings.ToValidUTF8(string(body), "\uFFFD")
	text = bounded.Runes(text, maxExcerpt+8*len(c.token.Reveal()))
	return bounded.Runes(c.redactor.String(text), maxExcerpt)
}

// logRequest keeps the promises of section 11: method, path, status, bytes and
// milliseconds at debug, the body only at trace.
func (c *Client) logRequest(ctx context.Context, target string, r response, err error, took time.Duration) {
	if !c.log.Enabled(ctx, slog.LevelDebug) {
		return
	}
	path, _, _ := strings.Cut(target, "?")
	attrs := []slog.Attr{slog.String("method", http.MethodGet), slog.String("path", c.redactor.String(path))}
	if r.status != 0 {
		attrs = append(attrs, slog.Int("status", r.status), slog.Int("bytes", len(r.body)))
	}
	attrs = append(attrs, slog.Float64("ms", float64(took.Microseconds())/1000))
	if err != nil {
		attrs = append(attrs, slog.String("error", err.Error()))
	}
	c.log.LogAttrs(ctx, slog.LevelDebug, "request", attrs...)
	if r.status != 0 && c.log.Enabled(ctx, logging.LevelTrace) {
		c.log.LogAttrs(ctx, logging.LevelTrace, "response", slog.String("path", c.redactor.String(path)), slog.String("body", c.excerpt(r.body)))
	}
}
