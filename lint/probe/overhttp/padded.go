package overhttp

import (
	"bytes"
	"context"
	"crypto/tls"
	"net"
	"net/http"
)

// padding is what HTTP allows around the value of a header.
const padding = " \t "

// padded is an HTTP client that puts padding around the values of the protocol's
// headers. The one of the standard library takes it away, so that it is written
// into the bytes on their way out.
func (p *prober) padded() (client *http.Client, done func()) {
	transport := p.s.NewTransport()
	// Only HTTP/1.1 writes headers as lines.
	transport.ForceAttemptHTTP2, transport.TLSNextProto = false, map[string]func(string, *tls.Conn) http.RoundTripper{}
	dial, config := transport.DialContext, transport.TLSClientConfig.Clone()
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	if config == nil {
		config = &tls.Config{}
	}
	config.NextProtos = nil
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return padder{conn}, err
	}
	transport.DialTLSContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return secured(ctx, conn, config.Clone(), address)
	}
	return &http.Client{Transport: transport, CheckRedirect: stay}, transport.CloseIdleConnections
}

// secured is a connection with TLS under the padding.
func secured(ctx context.Context, conn net.Conn, config *tls.Config, address string) (net.Conn, error) {
	if host, _, err := net.SplitHostPort(address); err == nil && config.ServerName == "" {
		config.ServerName = host
	}
	inner := tls.Client(conn, config)
	if err := inner.HandshakeContext(ctx); err != nil {
		_ = conn.Close() // the handshake is what failed
		return nil, err
	}
	return padder{inner}, nil
}

type padder struct{ net.Conn }

func (c padder) Write(b []byte) (int, error) {
	out := b
	for _, name := range []string{"Mcp-Protocol-Version", "Mcp-Method"} {
		out = pad(out, []byte("\r\n"+name+": "))
	}
	if _, err := c.Conn.Write(out); err != nil {
		return 0, err
	}
	return len(b), nil
}

// pad puts padding around the value that follows a field's name.
func pad(text, field []byte) []byte {
	before, after, found := bytes.Cut(text, field)
	value, rest, ended := bytes.Cut(after, []byte("\r\n"))
	if !found || !ended {
		return text
	}
	return bytes.Join([][]byte{before, field, []byte(padding), value, []byte(padding + "\r\n"), rest}, nil)
}
