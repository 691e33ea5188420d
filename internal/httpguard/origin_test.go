package httpguard

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var originPolicies = map[string]OriginConfig{
	"own":    {},
	"named":  {Hosts: Hosts{Listen: "0.0.0.0:80", Names: []string{"mcp.example"}}},
	"listed": {Origins: []string{"https://app.example", "http://dev.example:3000", "vscode-webview://0a1b2c"}},
	"null":   {AllowNull: true},
	"any":    {AnyOrigin: true},
}

func originStatus(guard Middleware, https bool, host string, origins []string) int {
	r := httptest.NewRequest("POST", "/", nil)
	r.Host = host
	if https {
		r.TLS = &tls.ConnectionState{}
	}
	r.Header["Origin"] = origins
	w := httptest.NewRecorder()
	guard(served).ServeHTTP(w, r)
	return w.Code
}

func TestHTTP2Origins(t *testing.T) {
	for _, row := range rows(t, "origins.txt", 5) {
		guard := must(Origin(originPolicies[row[0]]))(t)
		want := http.StatusOK
		if row[4] == "refuse" {
			want = http.StatusForbidden
		}
		if got := originStatus(guard, row[1] == "https", row[2], unquoteAll(t, row[3])); got != want {
			t.Errorf("%q: %d, want %d", strings.Join(row, " "), got, want)
		}
	}
}

// A refusal needs neither a bad Host nor the Host guard, on any method.
func TestHTTP2ForeignOriginWithGoodHostGets403(t *testing.T) {
	guard := must(Origin(OriginConfig{}))(t)
	server := start(t, served, guard)
	host := server.Listener.Addr().String()
	for _, method := range []string{"GET", "POST", "DELETE", "OPTIONS"} {
		isRefusal(t, send(t, method, server.URL, "Origin: http://evil.example"), 403, "origin not allowed")
		isRefusal(t, send(t, method, server.URL, "Origin: null"), 403, "origin not allowed")
		isRefusal(t, send(t, method, server.URL, "Origin: http://evil.example", "Origin: http://"+host), 403, "origin not allowed")
		isRefusal(t, send(t, method, server.URL, "Origin: https://"+host, "X-Forwarded-Proto: https", "Forwarded: proto=https"), 403, "origin not allowed")
		isRefusal(t, send(t, method, server.URL, "Origin: http://"+strings.Repeat("a", 100_000)), 403, "origin not allowed")
		for _, origin := range []string{"http://" + host, "HTTP://" + host} {
			if got := send(t, method, server.URL, "Origin: "+origin); got.status != 200 {
				t.Errorf("%s from the server's own page %s gets %d", method, origin, got.status)
			}
		}
	}
}

func TestHTTP2OwnOriginOverTLS(t *testing.T) {
	server := httptest.NewTLSServer(must(Origin(OriginConfig{}))(t)(served))
	defer server.Close()
	for origin, want := range map[string]int{
		"https://" + server.Listener.Addr().String(): 200,
		"http://" + server.Listener.Addr().String():  403,
	} {
		r, err := http.NewRequest("GET", server.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Origin", origin)
		response, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if got := readReply(t, response); got.status != want {
			t.Errorf("Origin %s over TLS gets %d, want %d", origin, got.status, want)
		}
	}
}

// SEC-1: after rebinding, Host and Origin are both evil and agree.
func TestSEC1EitherGuardAloneStopsDNSRebinding(t *testing.T) {
	for name, guard := range map[string]Middleware{
		"host": hostGuard(t, Hosts{}), "origin": must(Origin(OriginConfig{}))(t),
	} {
		server := start(t, served, guard)
		if got := send(t, "POST", server.URL, "Host: evil.example", "Origin: http://evil.example"); got.status != 403 {
			t.Errorf("%s guard answers %d", name, got.status)
		}
	}
}

func TestHTTP2BadConfigurationIsRefused(t *testing.T) {
	for _, o := range []string{"", "*", "null", "app.example", "https://app.example/", "https://app.example/x", "https://*.example", "https://u@app.example", "https://app.example:0"} {
		if _, err := Origin(OriginConfig{Origins: []string{o}}); err == nil {
			t.Errorf("Origin accepts %q", o)
		}
		if _, err := CORS(CORSConfig{Origins: []string{o}}); err == nil {
			t.Errorf("CORS accepts %q", o)
		}
	}
	if _, err := Origin(OriginConfig{Hosts: Hosts{Names: []string{"a:1"}}}); err == nil {
		t.Error("Origin accepts a bad host name")
	}
}

func TestHTTP2AcceptedIffOwnOrListed(t *testing.T) {
	listed := []string{"https://app.example", "http://dev.example:3000"}
	guard := must(Origin(OriginConfig{Origins: listed}))(t)
	rapid.Check(t, func(t *rapid.T) {
		host := rapid.SampledFrom([]string{"localhost:8080", "127.0.0.1:8080", "localhost", "evil.example", "app.example"}).Draw(t, "host")
		scheme := rapid.SampledFrom([]string{"http", "https", "ftp", ""}).Draw(t, "scheme")
		name := rapid.SampledFrom([]string{"localhost", "127.0.0.1", "app.example", "dev.example", "evil.example", "[::1]", ""}).Draw(t, "name")
		port := rapid.SampledFrom([]string{"", ":80", ":443", ":8080", ":3000"}).Draw(t, "port")
		junk := rapid.SampledFrom([]string{"", "", "", "/", "#", "?", ".", "@evil.example", " "}).Draw(t, "junk")
		text := scheme + "://" + name + port
		withoutDefault := text
		if scheme == "http" && port == ":80" || scheme == "https" && port == ":443" {
			withoutDefault = scheme + "://" + name
		}
		own := withoutDefault == "http://"+host && host != "evil.example" && host != "app.example"
		want := junk == "" && (own || slices.Contains(listed, withoutDefault))
		if got := originStatus(guard, false, host, []string{text + junk}); (got == 200) != want {
			t.Fatalf("Origin %q at Host %q gets %d, want it allowed: %v", text+junk, host, got, want)
		}
	})
}

// What parseOrigin accepts, url.Parse takes for a URL of nothing but scheme,
// host and port.
func FuzzOrigin(f *testing.F) {
	for _, row := range rows(f, "origins.txt", 5) {
		for _, value := range unquoteAll(f, row[3]) {
			f.Add(value)
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		o, ok := parseOrigin(s)
		if !ok {
			return
		}
		u, err := url.Parse(s)
		if err != nil || u.Scheme != o.scheme || u.User != nil || u.Path != "" || u.RawQuery != "" || u.Fragment != "" || u.Opaque != "" {
			t.Errorf("%q parses as %+v, but url.Parse says %+v, %v", s, o, u, err)
		}
		if s == "null" || len(s) > maxOrigin || o.host == "" {
			t.Errorf("%q is accepted", s)
		}
		if upper, ok := parseOrigin(strings.ToUpper(s)); !ok || upper != o {
			t.Errorf("%q in upper case parses as %+v, %v", s, upper, ok)
		}
	})
}
