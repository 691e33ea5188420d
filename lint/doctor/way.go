package doctor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// connectTime is how long it may take to resolve a name, to connect, and to
// shake hands (A9.1), each.
const connectTime = 10 * time.Second

// A way is how packets get to a server: through a proxy or not, by which name,
// with which certificates.
type way struct {
	x         *examination
	address   *url.URL
	transport *http.Transport // nil if the caller has something of its own
	dial      func(ctx context.Context, network, address string) (net.Conn, error)
}

func (x *examination) newWay(address *url.URL) *way {
	w := &way{x: x, address: address, transport: http.DefaultTransport.(*http.Transport)}
	if own := x.opts.Client.HTTPClient; own != nil && own.Transport != nil {
		w.transport, _ = own.Transport.(*http.Transport)
	}
	w.dial = (&net.Dialer{}).DialContext
	if w.transport != nil && w.transport.DialContext != nil {
		w.dial = w.transport.DialContext
	}
	return w
}

// walk goes the way step by step, and says whether it leads to the server.
func (w *way) walk(ctx context.Context) bool {
	if w.transport == nil {
		w.skip("the caller connects on its own")
		return true
	}
	proxy, err := w.proxy()
	switch {
	case err != nil:
		w.x.warn("proxy", "the variable that names it cannot be used", "HTTP_PROXY and HTTPS_PROXY hold addresses")
	case proxy != nil:
		return w.throughProxy(ctx, proxy)
	default:
		w.x.skip("proxy", "there is none for this address")
	}
	if !w.resolve(ctx) {
		return false
	}
	conn, ok := w.connect(ctx)
	if !ok {
		return false
	}
	defer conn.Close()
	if w.address.Scheme == "http" {
		w.x.skip("tls", "the address begins with http://")
		return true
	}
	return w.secure(ctx, conn)
}

// skip leaves out the steps of the way.
func (w *way) skip(why string) {
	for _, name := range []string{"name", "port", "tls"} {
		w.x.skip(name, why)
	}
	if w.transport == nil {
		w.x.skip("proxy", why)
	}
}

func (w *way) proxy() (*url.URL, error) {
	if w.transport.Proxy == nil {
		return nil, nil
	}
	return w.transport.Proxy(&http.Request{URL: w.address})
}

// throughProxy checks that the proxy is there, which does the rest.
func (w *way) throughProxy(ctx context.Context, proxy *url.URL) bool {
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	w.skip("the proxy connects")
	conn, err := w.dial(ctx, "tcp", hostPort(proxy))
	if err != nil {
		if w.x.stopped(ctx, "proxy") {
			return false
		}
		w.x.require("proxy")
		w.x.fail("proxy", shortNetwork(err), because(proxyUnreachable, proxy.Host))
		return false
	}
	_ = conn.Close()
	w.x.ok("proxy", proxy.Host)
	return true
}

func (w *way) resolve(ctx context.Context) bool {
	host := w.address.Hostname()
	if _, err := netip.ParseAddr(host); err == nil {
		w.x.ok("name", host+" is an address")
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	lookup := w.x.opts.Lookup
	if lookup == nil {
		lookup = net.DefaultResolver.LookupHost
	}
	addresses, err := lookup(ctx, host)
	if err != nil && w.x.stopped(ctx, "name") {
		return false
	}
	if err != nil {
		w.x.fail("name", shortNetwork(err), because(nameUnknown, host))
		return false
	}
	w.x.ok("name", host+" is "+strings.Join(addresses[:min(len(addresses), maxLines)], ", "))
	return true
}

func (w *way) connect(ctx context.Context) (net.Conn, bool) {
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	at := hostPort(w.address)
	begin := time.Now()
	conn, err := w.dial(ctx, "tcp", at)
	switch {
	case err == nil:
		w.x.ok("port", fmt.Sprintf("%s accepts connections, after %s", at, millis(time.Since(begin))))
		return conn, true
	case w.x.stopped(ctx, "port"):
	case errors.Is(err, syscall.ECONNREFUSED):
		w.x.fail("port", "connection refused", because(portClosed, at))
	case errors.As(err, new(*net.DNSError)):
		w.x.fail("port", shortNetwork(err), because(nameUnknown, w.address.Hostname()))
	default:
		w.x.fail("port", shortNetwork(err), because(portSilent, at))
	}
	return nil, false
}

func hostPort(u *url.URL) string {
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "https":
		port = "443"
	case strings.HasPrefix(u.Scheme, "socks5"):
		port = "1080"
	default:
		port = "80"
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// shortNetwork is an error of a network without the addresses in it.
func shortNetwork(err error) string {
	var (
		name  *net.DNSError
		op    *net.OpError
		stuck net.Error
	)
	switch {
	case errors.As(err, &name):
		return name.Err
	case errors.As(err, &stuck) && stuck.Timeout(), errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("no answer within %v", connectTime)
	case errors.As(err, &op):
		return op.Err.Error()
	}
	return err.Error()
}
