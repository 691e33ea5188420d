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
func padded() (client *http.Client, done func()) {
	transport := &http.Transport{DisableCompression: true}
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		return padder{conn}, err
	}
	transport.DialTLSContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&tls.Dialer{}).DialContext(ctx, network, address)
		return padder{conn}, err
	}
	return &http.Client{Transport: transport, CheckRedirect: stay}, transport.CloseIdleConnections
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
