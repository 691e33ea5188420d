package httpguard

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var hostPolicies = map[string]Hosts{
	"loopback": {},
	"named":    {Listen: "0.0.0.0:8080", Names: []string{"MCP.example", "192.0.2.7", "2001:db8::7", "xn--bcher-kva.example"}},
	"both":     {Listen: "127.0.0.1:8080", Names: []string{"mcp.example"}},
}

func hostGuard(t testing.TB, hosts Hosts) Middleware {
	t.Helper()
	return must(Host(HostConfig{Hosts: hosts}))(t)
}

func TestHTTP3Hosts(t *testing.T) {
	for _, row := range rows(t, "hosts.txt", 3) {
		host, want := unquoteAll(t, row[1])[0], http.StatusOK
		if row[2] == "refuse" {
			want = http.StatusForbidden
		}
		r := httptest.NewRequest("POST", "/", nil)
		r.Host = host
		w := httptest.NewRecorder()
		hostGuard(t, hostPolicies[row[0]])(served).ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%s: Host %q gets %d, want %d", row[0], host, w.Code, want)
		}
	}
}

// The same rows as bytes on a connection, where net/http may refuse first.
func TestHTTP3HostsOnTheWire(t *testing.T) {
	servers := map[string]*httptest.Server{}
	for name, hosts := range hostPolicies {
		servers[name] = start(t, served, hostGuard(t, hosts))
	}
	for _, row := range rows(t, "hosts.txt", 3) {
		host := unquoteAll(t, row[1])[0]
		got := sendRaw(t, servers[row[0]], "GET / HTTP/1.1", "Host: "+host, "Connection: close")
		if row[2] == "allow" && got.status != 200 || row[2] == "refuse" && got.status != 403 && got.status != 400 {
			t.Errorf("%s: Host %q gets %d, want it to %s", row[0], host, got.status, row[2])
		}
	}
}

func TestHTTP3RequestForms(t *testing.T) {
	server := start(t, served, hostGuard(t, Hosts{}))
	long := strings.Repeat("a", 100_000)
	for _, tt := range []struct {
		name  string
		want  int
		lines []string
	}{
		{"no Host in 1.0", 403, []string{"GET / HTTP/1.0"}},
		{"no Host in 1.1", 400, []string{"GET / HTTP/1.1", "Connection: close"}},
		{"two Hosts", 400, []string{"GET / HTTP/1.1", "Host: localhost", "Host: localhost", "Connection: close"}},
		{"absolute form counts, good", 200, []string{"GET http://localhost:1/ HTTP/1.1", "Host: evil.example", "Connection: close"}},
		{"absolute form counts, bad", 403, []string{"GET http://evil.example/ HTTP/1.1", "Host: localhost", "Connection: close"}},
		{"absolute form with user", 403, []string{"GET http://localhost@evil.example/ HTTP/1.1", "Host: localhost", "Connection: close"}},
		{"forwarded host is ignored", 403, []string{"GET / HTTP/1.1", "Host: evil.example", "X-Forwarded-Host: localhost", "Forwarded: host=localhost", "X-Original-Host: localhost", "Connection: close"}},
		{"forwarded host does no harm", 200, []string{"GET / HTTP/1.1", "Host: localhost", "X-Forwarded-Host: evil.example", "Connection: close"}},
		{"very long", 403, []string{"GET / HTTP/1.1", "Host: " + long, "Connection: close"}},
		{"very long, good end", 403, []string{"GET / HTTP/1.1", "Host: " + long + ".localhost", "Connection: close"}},
	} {
		if got := sendRaw(t, server, tt.lines...); got.status != tt.want {
			t.Errorf("%s: %d %s, want %d", tt.name, got.status, got.body, tt.want)
		}
	}
}

func TestHTTP3RefusalIsAFixedError(t *testing.T) {
	server := start(t, served, hostGuard(t, Hosts{}))
	for _, method := range []string{"GET", "POST", "DELETE", "OPTIONS", "PUT"} {
		isRefusal(t, send(t, method, server.URL, "Host: evil.example"), 403, "host not allowed")
	}
	if got := send(t, "HEAD", server.URL, "Host: evil.example"); got.status != 403 || got.body != "" {
		t.Errorf("HEAD gets %d %q", got.status, got.body)
	}
}

func TestHTTP3BadConfigurationIsRefused(t *testing.T) {
	for _, name := range []string{"", "mcp.example:80", "http://mcp.example", "*.example", "a b", "[::1]:80", "bücher.example", "mcp.example.", "fe80::1%eth0"} {
		if _, err := Host(HostConfig{Hosts: Hosts{Names: []string{name}}}); err == nil {
			t.Errorf("host name %q was accepted", name)
		}
	}
	if _, err := Host(HostConfig{Hosts: Hosts{Listen: "0.0.0.0:80"}}); err == nil {
		t.Error("a guard that refuses everything was accepted")
	}
}

func TestRefuseFuncAnswersInstead(t *testing.T) {
	var seen Refusal
	guard := must(Host(HostConfig{Refuse: func(w http.ResponseWriter, r *http.Request, refusal Refusal) {
		seen = refusal
		w.WriteHeader(http.StatusTeapot)
	}}))(t)
	if got := send(t, "GET", start(t, served, guard).URL, "Host: evil.example"); got.status != http.StatusTeapot || seen.Reason != ReasonHost || seen.Status != 403 {
		t.Errorf("answer is %d after %+v", got.status, seen)
	}
}

// drawHost draws a host and says whether it is well-formed, and as what.
func drawHost(t *rapid.T) (text, canonical string, formed bool) {
	name := rapid.OneOf(
		rapid.SampledFrom([]string{"localhost", "127.0.0.1", "127.7.7.7", "[::1]", "mcp.example", "evil.example", "10.0.0.1", "[2001:db8::7]"}),
		rapid.StringMatching(`[a-z0-9]{1,8}(\.[a-z0-9]{1,5}){0,2}`),
	).Draw(t, "name")
	text = name
	if rapid.Bool().Draw(t, "upper") {
		text = strings.ToUpper(text)
	}
	port := rapid.SampledFrom([]string{"", "", ":80", ":8080", ":65535", ":", ":0", ":65536", ":x", ":80:80"}).Draw(t, "port")
	before := rapid.SampledFrom([]string{"", "", "", "", "u@", "u:p@", " ", "http://", "."}).Draw(t, "before")
	after := rapid.SampledFrom([]string{"", "", "", "", ".", "%00", "%25lo", "/", ",", "\t", "@evil.example", "é"}).Draw(t, "after")
	formed = before == "" && after == "" && slices.Contains([]string{"", ":80", ":8080", ":65535"}, port)
	return before + text + after + port, name, formed
}

func TestHTTP3AcceptedIffInTheSet(t *testing.T) {
	allowed := []string{"localhost", "127.0.0.1", "127.7.7.7", "[::1]", "mcp.example", "[2001:db8::7]"}
	guard := hostGuard(t, Hosts{Names: []string{"mcp.example", "[2001:db8::7]"}})
	rapid.Check(t, func(t *rapid.T) {
		text, canonical, formed := drawHost(t)
		r := httptest.NewRequest("POST", "/", nil)
		r.Host = text
		w := httptest.NewRecorder()
		guard(served).ServeHTTP(w, r)
		if want := formed && slices.Contains(allowed, canonical); (w.Code == 200) != want {
			t.Fatalf("Host %q gets %d, want it allowed: %v", text, w.Code, want)
		}
	})
}

// What parseAuthority accepts, url.Parse understands as the same host and port,
// and parsing what it made of it changes nothing.
func FuzzHost(f *testing.F) {
	for _, row := range rows(f, "hosts.txt", 3) {
		f.Add(unquoteAll(f, row[1])[0])
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, ok := parseAuthority(s)
		if !ok {
			return
		}
		again := a.host
		if strings.Contains(again, ":") {
			again = "[" + again + "]"
		}
		if a.port != 0 {
			again += ":" + strconv.Itoa(a.port)
		}
		if b, ok := parseAuthority(again); !ok || a != b {
			t.Errorf("%q parses as %+v, and %q as %+v, %v", s, a, again, b, ok)
		}
		u, err := url.Parse("http://" + again + "/")
		if err != nil || u.User != nil || u.Hostname() != a.host || u.Path != "/" {
			t.Errorf("%q parses as %+v, but url.Parse says %+v, %v", s, a, u, err)
		}
		v, err := url.Parse("http://" + s + "/")
		if err != nil || v.User != nil || strings.Count(v.Hostname(), ".") != strings.Count(a.host, ".") && !strings.Contains(s, "[") {
			t.Errorf("%q is accepted, but url.Parse says %+v, %v", s, v, err)
		}
		if len(s) > maxAuthority || strings.ContainsAny(s, "@/\\%#? ,") {
			t.Errorf("%q is accepted", s)
		}
	})
}
