// Package origin makes HTTP requests that stay with the origin they are meant
// for, since what they carry is for nobody else, and makes errors of responses.
package origin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"mcpworks/mcp/transport"
)

// Options say how requests are made; zero means the default.
type Options struct {
	// Client makes the requests; nil means one of the caller's own. Of any
	// client, redirects are followed within the origin only, and the Timeout is
	// left out: a stream lives as long as its request.
	Client *http.Client
	// Header is added to every request.
	Header http.Header
	// Authorize is called with every request before it is sent, to add what
	// changes with time, such as a token; nil means nothing. A redirect within
	// the origin takes along what was added.
	Authorize func(*http.Request) error
}

// A Caller makes requests to one origin.
type Caller struct {
	URL *url.URL // the address it was made for

	client    *http.Client
	own       bool
	header    http.Header
	authorize func(*http.Request) error
}

// New returns a caller for the origin of an address.
func New(address string, opts Options) (*Caller, error) {
	target, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, errors.New("no address of a server: it is no URL")
	case target.Scheme != "http" && target.Scheme != "https" || target.Host == "":
		return nil, fmt.Errorf("no address of a server: %q is neither http:// nor https://", target.Redacted())
	}
	target.Fragment, target.RawFragment = "", ""
	c := &Caller{URL: target, own: opts.Client == nil, header: opts.Header.Clone(), authorize: opts.Authorize}
	if c.own {
		opts.Client = newClient()
	}
	c.client = stay(opts.Client)
	return c, nil
}

// newClient returns a client that waits for a server to be there, but not for it
// to answer, which is up to each request.
func newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:    10 * time.Second,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // it holds back events
		MaxIdleConnsPerHost:    16,
		IdleConnTimeout:        time.Minute,
		MaxResponseHeaderBytes: 64 << 10,
		HTTP2:                  &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second},
	}}
}

// maxRedirects is how many redirects of one request are followed.
const maxRedirects = 5

// stay returns the client with redirects that change neither the origin nor the
// method. The response of any other is that of the request.
func stay(client *http.Client) *http.Client {
	kept := *client
	kept.Timeout = 0
	kept.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		switch first := via[0]; {
		case len(via) > maxRedirects, req.Method != first.Method, !Same(req.URL, first.URL):
			return http.ErrUseLastResponse
		case client.CheckRedirect != nil:
			return client.CheckRedirect(req, via)
		}
		return nil
	}
	return &kept
}

// Same says whether two addresses are of one origin.
func Same(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	switch given := u.Port(); {
	case given != "":
		return given
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// Do makes a request of that method to an address of the origin. The headers are
// stronger than those of the options. A body can be used again when Do returns.
//
// Of its errors, those from before there was a connection are told from the
// others, which are transport.ErrLost; the end of ctx is its cause.
func (c *Caller) Do(ctx context.Context, method string, target *url.URL, header http.Header, body []byte) (*http.Response, error) {
	var text io.Reader
	if body != nil {
		text = bytes.NewReader(bytes.Clone(body)) // it may be read after the answer came
	}
	var asked, connected atomic.Bool
	req, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { asked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	}), method, target.String(), text)
	if err != nil {
		return nil, err
	}
	maps.Copy(req.Header, c.header.Clone()) // each may be changed
	maps.Copy(req.Header, header)
	if c.authorize != nil {
		if err := c.authorize(req); err != nil {
			return nil, fmt.Errorf("authorizing a request: %w", err)
		}
	}
	resp, err := c.client.Do(req)
	if err == nil {
		return resp, nil
	}
	if reason := context.Cause(ctx); reason != nil {
		return nil, reason
	}
	if outer := (*url.Error)(nil); errors.As(err, &outer) {
		err = outer.Err // the address is not for every log
	}
	if asked.Load() && !connected.Load() {
		return nil, fmt.Errorf("the server cannot be reached: %w", err)
	}
	return nil, Lost(err)
}

// Lost is the error of an answer that will not come, and why.
func Lost(cause error) error { return fmt.Errorf("%w: %w", transport.ErrLost, cause) }

// Close drops the connections of a client that is the caller's own.
func (c *Caller) Close() {
	if c.own {
		c.client.CloseIdleConnections()
	}
}
