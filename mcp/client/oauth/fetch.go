package oauth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"mcpworks/internal/bounded"
	"mcpworks/internal/rawjson"
)

// maxBody is how long a document or an answer may be.
const maxBody = 256 << 10

// newHTTPClient returns a client for addresses that a server has named: it
// connects to public ones only, whatever their names resolve to, and to loopback
// if local. It knows no proxy, which would connect for it.
func newHTTPClient(local bool) *http.Client {
	dialer := &net.Dialer{Timeout: 10 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		if ip := at.Addr().Unmap(); !isPublic(ip) && !(local && ip.IsLoopback()) {
			return fmt.Errorf("%s is not a public address", ip)
		}
		return nil
	}}
	return &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    10 * time.Second,
		IdleConnTimeout:        30 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
	}}
}

// shared are addresses of carriers, of benchmarks and of translation into IPv4,
// which the standard library takes for global.
var shared = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("2002::/16"),
}

func isPublic(ip netip.Addr) bool {
	for _, prefix := range shared {
		if prefix.Contains(ip) {
			return false
		}
	}
	return ip.IsGlobalUnicast() && !ip.IsPrivate()
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}

// address checks one that a server has named: https, or http on loopback.
func address(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.Fragment != "":
		return nil, fmt.Errorf("%.200q is no address", text)
	case u.Scheme != "https" && !(u.Scheme == "http" && isLoopback(u.Hostname())):
		return nil, fmt.Errorf("%.200q is not https", text)
	}
	return u, nil
}

// errMissing is the error of a document that is not there.
var errMissing = errors.New("there is no such document")

// document fetches a JSON object.
func (t *Transport) document(ctx context.Context, at string) ([]byte, error) {
	status, body, err := t.fetch(ctx, http.MethodGet, at, nil, nil)
	switch {
	case err != nil:
		return nil, err
	case status/100 == 4 && status != http.StatusTooManyRequests:
		return nil, fmt.Errorf("%s: %w", at, errMissing)
	case status != http.StatusOK:
		return nil, fmt.Errorf("%s: HTTP status %d", at, status)
	case body == nil:
		return nil, fmt.Errorf("%s is no JSON object", at)
	}
	return body, nil
}

// fetch makes a request. The body of the answer is nil if it is no JSON object.
func (t *Transport) fetch(ctx context.Context, method, at string, header http.Header, content io.Reader) (status int, body []byte, err error) {
	if _, err := address(at); err != nil {
		return 0, nil, err
	}
	req, err := http.NewRequestWithContext(ctx, method, at, content)
	if err != nil {
		return 0, nil, err
	}
	if header != nil {
		req.Header = header
	}
	req.Header.Set("Accept", "application/json")
	resp, err := t.cfg.HTTPClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	body, cut, err := bounded.Read(resp.Body, maxBody)
	switch {
	case err != nil:
		return 0, nil, fmt.Errorf("%s: %w", at, err)
	case cut:
		return 0, nil, fmt.Errorf("%s: the answer is longer than %d bytes", at, maxBody)
	case rawjson.Check(body, rawjson.Limits{Depth: 32}) != nil, rawjson.KindOf(body) != rawjson.Object:
		body = nil
	}
	return resp.StatusCode, body, nil
}

// text is a member of an object; one that is no text counts as absent.
func text(object []byte, name string) string {
	s, _ := rawjson.String(rawjson.Member(object, name))
	return s
}

// texts is a member that is a list of them.
func texts(object []byte, name string) (all []string) {
	for element := range rawjson.Elements(rawjson.Member(object, name)) {
		if s, ok := rawjson.String(element); ok {
			all = append(all, s)
		}
	}
	return all
}

func isTrue(object []byte, name string) bool {
	return string(rawjson.Member(object, name)) == "true"
}
