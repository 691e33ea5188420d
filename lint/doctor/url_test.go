//go:build unix

package doctor_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"mcpworks/lint/doctor"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport/sse"
	"mcpworks/mcp/transport/streamable"
)

// hospital is a web server with all kinds of patients.
func hospital(t *testing.T) *http.ServeMux {
	t.Helper()
	srv, err := server.New(server.Options{Info: mcp.Implementation{Name: "ward", Version: "1"}})
	if err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	endpoint, events := streamable.New(srv, streamable.Options{Log: quiet}), sse.New(srv, sse.Options{Log: quiet})
	t.Cleanup(endpoint.Close)
	t.Cleanup(events.Close)
	mux := http.NewServeMux()
	mux.Handle("/mcp", endpoint)
	mux.Handle("/sse", events)
	mux.HandleFunc("/locked", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="ward", error_description="`+r.Header.Get("Authorization")+`"`)
		w.WriteHeader(http.StatusUnauthorized)
	})
	mux.HandleFunc("/.well-known/oauth-protected-resource/locked", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Error("credentials were sent for a public document")
		}
		_, _ = io.WriteString(w, `{"resource":"x","authorization_servers":["https://auth.example.com"]}`)
	})
	mux.HandleFunc("/elsewhere", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="http://metadata.invalid/x"`)
		w.WriteHeader(http.StatusUnauthorized)
	})
	status := func(path string, code int, kind, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(code)
			_, _ = io.WriteString(w, body)
		})
	}
	const page = "<!DOCTYPE html><html><title>\x1b[31mHello</title></html>"
	status("/page", http.StatusOK, "text/html", page)
	status("/firewall", http.StatusForbidden, "text/html", page)
	status("/forbidden", http.StatusForbidden, "text/plain", "no")
	status("/gateway", http.StatusBadGateway, "text/html", page)
	status("/broken", http.StatusInternalServerError, "text/plain", "oh no")
	status("/odd", http.StatusTeapot, "text/plain", "short and stout")
	status("/json", http.StatusOK, "application/json", `{"status":"ok"}`)
	status("/empty", http.StatusOK, "application/json", "")
	status("/text", http.StatusOK, "text/plain", "hello")
	status("/wire", http.StatusBadRequest, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"not today"}}`)
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://other.invalid/mcp?secret=1", http.StatusTemporaryRedirect)
	})
	mux.HandleFunc("/old", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/mcp", http.StatusPermanentRedirect)
	})
	mux.HandleFunc("/circle", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/circle", http.StatusTemporaryRedirect)
	})
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	mux.HandleFunc("/hangs-up", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	return mux
}

func open(t *testing.T, start func(*httptest.Server)) *httptest.Server {
	t.Helper()
	web := httptest.NewUnstartedServer(hospital(t))
	web.Config.ErrorLog = log.New(io.Discard, "", 0)
	start(web)
	t.Cleanup(web.Close)
	t.Cleanup(web.CloseClientConnections)
	return web
}

// B4: the true cause of servers that are reached and do not work.
func TestAddressesThatDoNotWork(t *testing.T) {
	web := open(t, (*httptest.Server).Start)
	for _, test := range []struct {
		path, step, cause string
		words             []string
		opts              client.Options
		locked            bool
	}{
		{path: "/none", step: "http", cause: "wrong-path", words: []string{"HTTP status 404", "/mcp"}},
		{path: "/locked", step: "authorization", cause: "credentials-wanted", locked: true,
			words: []string{`| WWW-Authenticate: Bearer realm="ward"`, "| GET /.well-known/oauth-protected-resource/locked: tokens come from https://auth.example.com", "--bearer-env"}},
		{path: "/elsewhere", step: "authorization", cause: "credentials-wanted", locked: true, words: []string{"not asked: http://metadata.invalid/x"}},
		{path: "/locked", step: "authorization", cause: "credentials-refused", locked: true, opts: client.Options{Header: http.Header{"Authorization": {"Bearer hunter2-hunter2"}}}},
		{path: "/forbidden", step: "authorization", cause: "access-forbidden", locked: true, words: []string{"HTTP status 403", "Host and Origin", `| "no"`}},
		{path: "/forbidden", step: "authorization", cause: "credentials-refused", locked: true, opts: client.Options{Header: http.Header{"Authorization": {"Bearer hunter2-hunter2"}}}},
		{path: "/firewall", step: "http", cause: "html-answer", words: []string{"HTTP status 403 Forbidden, a web page"}},
		{path: "/page", step: "http", cause: "html-answer", words: []string{"text/html", `: "<!DOCTYPE html><html><title>`}},
		{path: "/json", step: "http", cause: "no-message", words: []string{"application/json", `{\"status\":\"ok\"}`}},
		{path: "/empty", step: "http", cause: "empty-answer", words: []string{"answered with nothing (HTTP status 200 OK)"}},
		{path: "/gateway", step: "http", cause: "gateway-error", words: []string{"HTTP status 502"}},
		{path: "/broken", step: "http", cause: "server-error", words: []string{"HTTP status 500", "oh no"}},
		{path: "/odd", step: "http", cause: "status-refused", words: []string{"HTTP status 418"}},
		{path: "/text", step: "http", cause: "no-message", words: []string{"text/plain"}},
		{path: "/wire", step: "handshake", cause: "error-answer", words: []string{"-32000 not today"}},
		{path: "/away", step: "redirects", cause: "redirected-away", words: []string{"http://other.invalid/mcp", "HTTP status 307"}},
		{path: "/circle", step: "redirects", cause: "redirect-loop", words: []string{"in circles: /circle"}},
		{path: "/slow", step: "http", cause: "no-answer", opts: client.Options{Timeouts: client.Timeouts{Open: 300 * time.Millisecond}}},
		{path: "/hangs-up", step: "http", cause: "connection-lost"},
		{path: "/sse", step: "http", cause: "sse-endpoint", words: []string{"leave out --transport http"}, opts: client.Options{Way: client.Streamable}},
	} {
		t.Run(strings.Trim(test.path, "/")+" "+test.cause, func(t *testing.T) {
			t.Parallel()
			d := examine(t, client.URL(web.URL+test.path), doctor.Options{Client: test.opts, Lookup: never})
			wantCause(t, d, test.step, test.cause, test.words...)
			if d.Locked() != test.locked {
				t.Errorf("locked is %v", d.Locked())
			}
			if text := d.Text(); strings.Contains(text, "secret=1") || strings.Contains(text, "hunter2") || strings.Contains(text, "\x1b") {
				t.Errorf("the report holds what it should not:\n%s", text)
			}
		})
	}
}

func TestAddressesThatWork(t *testing.T) {
	web := open(t, (*httptest.Server).Start)
	for _, test := range []struct {
		path, transport, warned, evidence string
	}{
		{"/mcp", "streamable", "", ""},
		{"/sse", "sse", "transport", "streamable initialize: "},
		{"/old", "streamable", "redirects", "HTTP status 308"},
	} {
		t.Run(test.path, func(t *testing.T) {
			t.Parallel()
			d := examine(t, client.URL(web.URL+test.path), doctor.Options{Lookup: never})
			if d.Failed() || d.Cause != nil || d.Transport != test.transport || d.Server != "ward 1" {
				t.Fatalf("it does not work over %q:\n%s", d.Transport, d.Text())
			}
			for _, s := range d.Steps {
				switch s.Name {
				case "proxy", "tls":
					if s.State != doctor.Skipped {
						t.Errorf("%s is %s", s.Name, s.State)
					}
				case "capabilities": // it has none
				case test.warned:
					if s.State != doctor.Warning || !strings.Contains(strings.Join(s.Evidence, "\n"), test.evidence) {
						t.Errorf("%s is %s, with %q", s.Name, s.State, s.Evidence)
					}
				default:
					if s.State != doctor.OK {
						t.Errorf("%s is %s: %s", s.Name, s.State, s.Found)
					}
				}
			}
		})
	}
}

// A name that does not exist, a port where nobody listens, one that nobody
// answers at.
func TestWaysThatLeadNowhere(t *testing.T) {
	unknown := func(_ context.Context, host string) ([]string, error) {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	d := examine(t, client.URL("https://patient.invalid/mcp"), doctor.Options{Lookup: unknown})
	wantCause(t, d, "name", "name-not-resolved", "there is no host patient.invalid")

	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free := l.Addr().String()
	l.Close()
	d = examine(t, client.URL("http://"+free+"/mcp"), doctor.Options{Lookup: never})
	wantCause(t, d, "port", "port-closed", "nobody listens at "+free)

	found := func(context.Context, string) ([]string, error) { return []string{"192.0.2.1"}, nil }
	stuck := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Err: context.DeadlineExceeded}
	}}}
	d = examine(t, client.URL("http://patient.invalid/mcp"), doctor.Options{Lookup: found, Client: client.Options{HTTPClient: stuck}})
	wantCause(t, d, "port", "port-silent", "patient.invalid is 192.0.2.1", "patient.invalid:80 cannot be reached")

	d = examine(t, client.URL("ftp://patient.invalid"), doctor.Options{Lookup: never})
	if !d.Failed() || step(t, d, "name").State != doctor.Failed || d.Messages != 0 {
		t.Errorf("an address that is none passes:\n%s", d.Text())
	}
}

// A proxy that is not there is the cause; one that is does the rest.
func TestProxies(t *testing.T) {
	web := open(t, (*httptest.Server).Start)
	through := func(proxy string) doctor.Options {
		at, err := url.Parse(proxy)
		if err != nil {
			t.Fatal(err)
		}
		own := &http.Transport{Proxy: http.ProxyURL(at)}
		t.Cleanup(own.CloseIdleConnections)
		return doctor.Options{Lookup: never, Client: client.Options{HTTPClient: &http.Client{Transport: own}}}
	}
	d := examine(t, client.URL("http://patient.invalid/mcp"), through(web.URL)) // it answers for any host
	if d.Failed() || step(t, d, "proxy").State != doctor.OK || step(t, d, "name").State != doctor.Skipped {
		t.Errorf("it does not work through a proxy:\n%s", d.Text())
	}
	d = examine(t, client.URL("http://patient.invalid/mcp"), through("http://user:hunter2-hunter2@127.0.0.1:1"))
	wantCause(t, d, "proxy", "proxy-unreachable", "the proxy 127.0.0.1:1 cannot be reached")
	if strings.Contains(d.Text(), "hunter2") {
		t.Errorf("the report holds the password of the proxy:\n%s", d.Text())
	}
}

// B4: dates, names and issuer of certificates, and what is no TLS at all.
func TestCertificates(t *testing.T) {
	web := open(t, (*httptest.Server).StartTLS)
	plain := open(t, (*httptest.Server).Start)
	roots := x509.NewCertPool()
	roots.AddCert(web.Certificate())
	byName := strings.Replace(web.URL, "127.0.0.1", "localhost", 1)
	for _, test := range []struct {
		name, address, cause string
		config               *tls.Config
		words                []string
	}{
		{"good", web.URL, "", &tls.Config{RootCAs: roots}, []string{"names: example.com", "issuer: ", "valid from "}},
		{"insecure", web.URL, "", &tls.Config{InsecureSkipVerify: true}, []string{"! tls"}},
		{"untrusted", web.URL, "tls-untrusted", &tls.Config{}, []string{"O=Acme Co", "--ca-file"}},
		{"expired", web.URL, "tls-expired", &tls.Config{RootCAs: roots, Time: func() time.Time { return time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC) }}, nil},
		{"not yet", web.URL, "tls-expired", &tls.Config{RootCAs: roots, Time: func() time.Time { return time.Unix(-1, 0) }}, nil},
		{"another name", byName, "tls-wrong-name", &tls.Config{RootCAs: roots}, []string{"for another name: example.com"}},
		{"no tls", strings.Replace(plain.URL, "http", "https", 1), "tls-not-spoken", nil, []string{"http:// in place of https://"}},
		{"no common version", web.URL, "tls-failed", &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS10}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			own := &http.Transport{TLSClientConfig: test.config, DialContext: toLoopback}
			t.Cleanup(own.CloseIdleConnections)
			opts := doctor.Options{Client: client.Options{HTTPClient: &http.Client{Transport: own}}, Lookup: loopback}
			d := examine(t, client.URL(test.address+"/mcp"), opts)
			if test.cause != "" {
				wantCause(t, d, "tls", test.cause, test.words...)
				return
			}
			if d.Failed() {
				t.Fatalf("it fails:\n%s", d.Text())
			}
			for _, word := range test.words {
				if !strings.Contains(d.Text(), word) {
					t.Errorf("the report lacks %q:\n%s", word, d.Text())
				}
			}
		})
	}
	d := examine(t, client.URL(strings.Replace(web.URL, "https", "http", 1)+"/mcp"), doctor.Options{Lookup: never})
	wantCause(t, d, "http", "tls-wanted", "https:// in place of http://")
}

func loopback(context.Context, string) ([]string, error) { return []string{"127.0.0.1"}, nil }

// toLoopback connects to no other host, whatever its name.
func toLoopback(ctx context.Context, network, address string) (net.Conn, error) {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	return (&net.Dialer{}).DialContext(ctx, network, "127.0.0.1:"+port)
}

// A caller's own round tripper is used as it is.
func TestOwnRoundTripper(t *testing.T) {
	refuses := roundTripper(func(*http.Request) (*http.Response, error) { return nil, errors.New("not connected") })
	d := examine(t, client.URL("http://patient.invalid/mcp"),
		doctor.Options{Lookup: never, Client: client.Options{HTTPClient: &http.Client{Transport: refuses}}})
	if s := step(t, d, "http"); s.State != doctor.Failed || !strings.Contains(s.Found, "not connected") && d.Cause == nil {
		t.Errorf("http: %+v", s)
	}
	if s := step(t, d, "name"); s.State != doctor.Skipped {
		t.Errorf("name: %+v", s)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TLS and plain HTTP at the wrong ports, with servers that just hang up on it.
func TestWrongPortsOfServersThatHangUp(t *testing.T) {
	web := open(t, (*httptest.Server).StartTLS)
	secure := behind(t, web.Listener.Addr().String(), func(first byte) bool { return first == 0x16 }) // a handshake of TLS
	d := examine(t, client.URL("http://"+secure+"/mcp"), doctor.Options{Lookup: never})
	wantCause(t, d, "http", "tls-wanted", "https:// in place of http://")

	plain := behind(t, open(t, (*httptest.Server).Start).Listener.Addr().String(), func(first byte) bool { return first != 0x16 })
	d = examine(t, client.URL("https://"+plain+"/mcp"), doctor.Options{Lookup: never})
	wantCause(t, d, "tls", "tls-not-spoken", "http:// in place of https://")
}

// behind is the address of somebody who connects to another one those whose
// first byte is right, and hangs up on others.
func behind(t *testing.T, address string, right func(first byte) bool) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	t.Cleanup(serving.Wait)
	t.Cleanup(func() { _ = listener.Close() })
	serving.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { relay(conn, address, right) })
		}
	})
	return listener.Addr().String()
}

func relay(conn net.Conn, address string, right func(first byte) bool) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	first, err := in.Peek(1)
	if err != nil || !right(first[0]) {
		return
	}
	server, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer server.Close()
	go func() {
		_, _ = io.Copy(server, in)
		_ = server.Close()
	}()
	_, _ = io.Copy(conn, server)
}

// What nobody gave is not named: the older transport was found on its own.
func TestOlderTransportFound(t *testing.T) {
	web := open(t, (*httptest.Server).Start)
	d := examine(t, client.URL(web.URL+"/sse"), doctor.Options{Lookup: never})
	if s := step(t, d, "transport"); d.Failed() || s.State != doctor.Warning || strings.Contains(s.Action, "--transport") || s.Action == "" {
		t.Errorf("transport: %+v", s)
	}
}
