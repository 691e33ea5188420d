package overhttp

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
	"time"

	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
)

const (
	addressesTried = 4
	bindLimit      = time.Second
)

// bind asks for the server at the addresses of this machine that others can
// reach. Credentials stay at home.
func bind(ctx context.Context, s *wire.Server) {
	isModern := s.Legacy() == nil
	t := s.Open(ctx, wire.Opening{Phase: step.HTTPBind, Modern: isModern, NoHandshake: true})
	defer t.Close()
	p := newProber(s, t, isModern)
	// No proxy can know, and no certificate can name, these addresses.
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}
	client := &http.Client{Transport: transport, CheckRedirect: stay}
	for _, address := range otherAddresses() {
		_, body := t.Request(p.method, "")
		t.HTTP(step.HTTPOtherAddress, address, wire.Request{
			Method: http.MethodPost, URL: at(s.URL(), address), Body: body, Client: client, Limit: bindLimit, NoUsual: true,
			Header: with("Content-Type", "application/json", "Accept", "application/json, text/event-stream"),
		})
	}
}

// otherAddresses are some of this machine's that are not for itself alone.
func otherAddresses() []string {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	var others []string
	for _, one := range all {
		network, ok := one.(*net.IPNet)
		if ok && network.IP.IsGlobalUnicast() && len(others) < addressesTried {
			others = append(others, network.IP.String())
		}
	}
	return others
}

// at is a URL with another host and the same port.
func at(address, host string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	u.Host, u.User, u.RawQuery = net.JoinHostPort(host, port), nil, ""
	return u.String()
}
