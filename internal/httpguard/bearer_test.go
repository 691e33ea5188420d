package httpguard

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"mcpworks/internal/secret"

	"pgregory.net/rapid"
)

const (
	goodToken  = "k3J-x_9Qw2Lz8Vb5Nm1PdA"
	nextToken  = "3f786850e387550fdab836ed7e6dc881de23001b"
	wrongToken = "k3J-x_9Qw2Lz8Vb5Nm1PdB"
)

// clock is a clock that tests turn.
type clock struct{ time time.Time }

func newClock() *clock { return &clock{time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)} }

func (c *clock) now() time.Time           { return c.time }
func (c *clock) advance(by time.Duration) { c.time = c.time.Add(by) }

func testTokens(t testing.TB) *Tokens {
	t.Helper()
	hash := sha256.Sum256([]byte(nextToken))
	return must(NewTokens(
		Token{Principal: "ci", Scopes: []string{"read"}, Secret: secret.New(goodToken)},
		Token{Principal: "ops", Scopes: []string{"read", "write"}, SHA256: hex.EncodeToString(hash[:])},
	))(t)
}

func bearerGuard(t testing.TB, config BearerConfig) Middleware {
	t.Helper()
	config.Tokens = testTokens(t)
	return must(Bearer(config))(t)
}

// whoami tells what the guard let through.
var whoami = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	p, ok := PrincipalFrom(r.Context())
	fmt.Fprintf(w, "%s %v %v %v", p.Name, p.Scopes, ok, r.Header.Values("Authorization"))
})

func TestBEAR1Answers(t *testing.T) {
	guard := bearerGuard(t, BearerConfig{Realm: `my "mcp" \ realm`, MaxFailures: 1000})
	server := start(t, whoami, guard)
	const realm = `Bearer realm="my \"mcp\" \\ realm"`
	for _, tt := range []struct {
		name      string
		headers   []string
		status    int
		message   string
		challenge string
	}{
		{"no credentials", nil, 401, "authentication required", realm},
		{"another scheme", []string{"Authorization: Basic Zm9v"}, 401, "authentication required", realm},
		{"wrong token", []string{"Authorization: Bearer " + wrongToken}, 401, "authentication required", realm + `, error="invalid_token"`},
		{"empty token", []string{"Authorization: Bearer "}, 400, "malformed authorization", realm + `, error="invalid_request"`},
		{"empty header", []string{"Authorization: "}, 400, "malformed authorization", realm + `, error="invalid_request"`},
		{"two headers", []string{"Authorization: Bearer " + goodToken, "Authorization: Bearer " + goodToken}, 400, "malformed authorization", realm + `, error="invalid_request"`},
		{"too long", []string{"Authorization: Bearer " + strings.Repeat("a", maxToken+1)}, 400, "malformed authorization", realm + `, error="invalid_request"`},
	} {
		// BEAR-3: all methods alike.
		for _, method := range []string{"POST", "GET", "DELETE", "PUT", "OPTIONS"} {
			got := send(t, method, server.URL+"/mcp", tt.headers...)
			isRefusal(t, got, tt.status, tt.message)
			if challenges := got.header.Values("WWW-Authenticate"); !slices.Equal(challenges, []string{tt.challenge}) {
				t.Errorf("%s %s: challenges %q, want %q", method, tt.name, challenges, tt.challenge)
			}
		}
	}
}

func TestBEAR4EveryTokenHasItsPrincipal(t *testing.T) {
	server := start(t, whoami, bearerGuard(t, BearerConfig{}))
	for token, want := range map[string]string{goodToken: "ci [read] true []", nextToken: "ops [read write] true []"} {
		for _, scheme := range []string{"Bearer", "bearer"} {
			if got := send(t, "POST", server.URL, "Authorization: "+scheme+" "+token); got.status != 200 || got.body != want {
				t.Errorf("%s %d %s, want %s", scheme, got.status, got.body, want)
			}
		}
	}
}

func TestAUTH2TokenIsReadFromTheHeaderOnly(t *testing.T) {
	server := start(t, whoami, bearerGuard(t, BearerConfig{}))
	for _, headers := range [][]string{
		{"Cookie: access_token=" + goodToken},
		{"Mcp-Session-Id: " + goodToken},
		{"X-Forwarded-Authorization: Bearer " + goodToken},
		{"Proxy-Authorization: Bearer " + goodToken},
	} {
		if got := send(t, "POST", server.URL+"/?access_token="+goodToken, headers...); got.status != 401 {
			t.Errorf("%v: %d %s", headers, got.status, got.body)
		}
	}
}

func TestBEAR1AuthorizationHeaders(t *testing.T) {
	for _, row := range rows(t, "authorization.txt", 2) {
		token, reason := parseAuthorization(unquoteAll(t, row[0]))
		got := string(reason)
		if reason == "" {
			got = fmt.Sprintf("%q", token)
		}
		if got != row[1] {
			t.Errorf("Authorization %s is read as %s, want %s", row[0], got, row[1])
		}
	}
}

// A refused client is not asked for its body: no 100 Continue.
func TestBEAR3RefusesBeforeTheBodyIsRead(t *testing.T) {
	server := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) }), bearerGuard(t, BearerConfig{}))
	for authorization, want := range map[string]string{"Bearer " + wrongToken: "HTTP/1.1 401 Unauthorized", "Bearer " + goodToken: "HTTP/1.1 100 Continue"} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n\r\n", authorization)
		line, err := bufio.NewReader(conn).ReadString('\n')
		if strings.TrimSpace(line) != want || err != nil {
			t.Errorf("first line is %q, %v; want %q", line, err, want)
		}
	}
}

func TestBEAR3FailuresAreLimitedPerSource(t *testing.T) {
	clock := newClock()
	guard := bearerGuard(t, BearerConfig{Now: clock.now, Source: func(r *http.Request) string { return r.Header.Get("From") }})
	server := start(t, whoami, guard)
	get := func(from, authorization string) reply {
		t.Helper()
		return send(t, "GET", server.URL, "From: "+from, "Authorization: "+authorization)
	}
	const good, wrong = "Bearer " + goodToken, "Bearer " + wrongToken
	for i := range DefaultMaxFailures {
		authorization, want := wrong, 401
		if i%2 == 1 {
			authorization, want = "Bearer", 400
		}
		if got := get("a", authorization); got.status != want {
			t.Fatalf("failure %d gets %d, want %d", i+1, got.status, want)
		}
		clock.advance(time.Second)
	}
	if got := get("a", good); got.status != 200 {
		t.Errorf("a good token after %d failures gets %d", DefaultMaxFailures, got.status)
	}
	got := get("a", wrong)
	isRefusal(t, got, 429, "too many failed attempts")
	if after := got.header.Get("Retry-After"); after != "50" || got.header.Get("WWW-Authenticate") != "" {
		t.Errorf("Retry-After is %q, want 50; headers %v", after, got.header)
	}
	for authorization, want := range map[string]int{good: 200, wrong: 429, "Bearer": 429, "Basic x": 401} {
		if got := get("a", authorization); got.status != want {
			t.Errorf("%q gets %d while blocked, want %d", authorization, got.status, want)
		}
	}
	if got := get("b", wrong); got.status != 401 {
		t.Errorf("another source gets %d", got.status)
	}
	clock.advance(50*time.Second - 1)
	if got := get("a", wrong); got.status != 429 || got.header.Get("Retry-After") != "1" {
		t.Errorf("just before the end: %d, Retry-After %q", got.status, got.header.Get("Retry-After"))
	}
	clock.advance(1)
	if got := get("a", wrong); got.status != 401 {
		t.Errorf("after the window a wrong token gets %d", got.status)
	}
}

// Clients ask without a token first; that is no guess, however often.
func TestBEAR3MissingCredentialsAreNotCounted(t *testing.T) {
	server := start(t, whoami, bearerGuard(t, BearerConfig{Now: newClock().now}))
	for range 2 * DefaultMaxFailures {
		if got := send(t, "GET", server.URL); got.status != 401 {
			t.Fatalf("no credentials: %d", got.status)
		}
	}
	if got := send(t, "GET", server.URL, "Authorization: Bearer "+wrongToken); got.status != 401 {
		t.Errorf("a wrong token: %d", got.status)
	}
	if got := send(t, "GET", server.URL, "Authorization: Bearer "+goodToken); got.status != 200 {
		t.Errorf("a good token: %d", got.status)
	}
}

func TestBEAR3SourceIsTheRemoteAddress(t *testing.T) {
	for remote, want := range map[string]string{
		"192.0.2.1:1234":                "192.0.2.1",
		"[::ffff:192.0.2.1]:1":          "192.0.2.1",
		"[2001:db8:1:2:3:4:5:6]:1":      "2001:db8:1:2::/64",
		"[2001:db8:1:2:ffff::1]:99":     "2001:db8:1:2::/64",
		"[fe80::1%eth0]:1":              "fe80::/64",
		"":                              "unknown",
		"@":                             "unknown",
		"example.com:80":                "unknown",
		strings.Repeat("1", 1000) + ":": "unknown",
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = remote
		r.Header.Set("X-Forwarded-For", "203.0.113.9")
		if got := remoteSource(r); got != want {
			t.Errorf("source of %q is %q, want %q", remote, got, want)
		}
	}
}

// In any window a source gets at most limit answers that are not 429, is never
// told to wait longer than the window, and memory stays bounded.
func TestBEAR3FailuresNeverExceedTheLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 5).Draw(t, "limit")
		maxSources := rapid.IntRange(3, 6).Draw(t, "sources")
		const window = time.Minute
		f, now := newFailures(limit, window, maxSources), newClock()
		counted := map[string][]time.Time{}
		sources := rapid.SampledFrom([]string{"a", "b", "c"}) // all fit: none is forgotten early
		t.Repeat(map[string]func(*rapid.T){
			"wait": func(t *rapid.T) {
				now.advance(time.Duration(rapid.Int64Range(0, int64(window)).Draw(t, "wait")))
			},
			"fail": func(t *rapid.T) {
				source := sources.Draw(t, "source")
				wait := f.fail(source, now.now())
				if wait == 0 {
					counted[source] = append(counted[source], now.now())
				}
				if wait < 0 || wait > window || f.blocked(source, now.now()) != wait {
					t.Fatalf("wait %v, blocked %v", wait, f.blocked(source, now.now()))
				}
				recent := 0
				for _, at := range counted[source] {
					if now.now().Sub(at) < window {
						recent++
					}
				}
				if recent > limit || wait > 0 && recent < limit {
					t.Fatalf("%d failures in the window, limit %d, wait %v", recent, limit, wait)
				}
			},
			"": func(t *rapid.T) { checkBounds(t, f, limit) },
		})
	})
}

func TestBEAR3WindowEndsToTheNanosecond(t *testing.T) {
	f, now := newFailures(2, time.Minute, 1), newClock()
	for _, step := range []struct{ advance, wait time.Duration }{
		{0, 0}, {30 * time.Second, 0}, {30*time.Second - 1, 1}, {1, 0}, {0, 30 * time.Second},
	} {
		now.advance(step.advance)
		if wait := f.fail("a", now.now()); wait != step.wait {
			t.Errorf("%v later: wait %v, want %v", step.advance, wait, step.wait)
		}
	}
}

func TestBEAR3MemoryIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, now := newFailures(2, time.Minute, 4), newClock()
		for _, n := range rapid.SliceOf(rapid.IntRange(0, 99)).Draw(t, "sources") {
			f.fail(fmt.Sprint(n), now.now())
			now.advance(time.Second)
			checkBounds(t, f, 2)
		}
		now.advance(time.Minute)
		f.fail("last", now.now())
		if len(f.sources) != 1 {
			t.Fatalf("%d sources remembered after all but one are over", len(f.sources))
		}
	})
}

func checkBounds(t *rapid.T, f *failures, limit int) {
	if len(f.sources) > f.maxSources || len(f.sources) != f.order.Len() {
		t.Fatalf("%d sources, %d in order, at most %d", len(f.sources), f.order.Len(), f.maxSources)
	}
	for _, e := range f.sources {
		if n := len(e.Value.(*failing).times); n == 0 || n > limit {
			t.Fatalf("%d times remembered, limit %d", n, limit)
		}
	}
}

func TestBEAR1InsufficientScope(t *testing.T) {
	write := RequireScope("write")(whoami)
	both := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { InsufficientScope(w, r, "read", "admin") })
	bare := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { InsufficientScope(w, r) })
	guard := bearerGuard(t, BearerConfig{Realm: "r"})
	for _, tt := range []struct {
		handler   http.Handler
		token     string
		challenge string // "" for success
	}{
		{guard(write), goodToken, `Bearer realm="r", error="insufficient_scope", scope="write"`},
		{guard(write), nextToken, ""},
		{guard(both), goodToken, `Bearer realm="r", error="insufficient_scope", scope="read admin"`},
		{guard(bare), goodToken, `Bearer realm="r", error="insufficient_scope"`},
		{write, goodToken, `Bearer realm="mcp", error="insufficient_scope", scope="write"`}, // no Bearer stacked
	} {
		got := send(t, "POST", start(t, tt.handler).URL, "Authorization: Bearer "+tt.token)
		if tt.challenge == "" {
			if got.status != 200 {
				t.Errorf("refused: %d %s", got.status, got.body)
			}
			continue
		}
		isRefusal(t, got, 403, "insufficient scope")
		if challenge := got.header.Get("WWW-Authenticate"); challenge != tt.challenge {
			t.Errorf("challenge is %s, want %s", challenge, tt.challenge)
		}
	}
}

func TestBEAR2DiscoveryEndsWith404(t *testing.T) {
	server := start(t, whoami, Discovery404, bearerGuard(t, BearerConfig{MaxFailures: 1000}))
	for path, want := range map[string]int{
		"/.well-known/oauth-protected-resource":       404,
		"/.well-known/oauth-protected-resource/mcp":   404,
		"/.well-known/oauth-protected-resource/a/b":   404,
		"/.well-known/oauth-authorization-server":     404,
		"/.well-known/oauth-authorization-server/mcp": 404,
		"/.well-known/openid-configuration":           404,
		"/.well-known/openid-configuration/mcp":       404,
		"/mcp/.well-known/openid-configuration":       404,
		"/authorize?response_type=code":               404,
		"/token":                                      404,
		"/register":                                   404,
		"/mcp":                                        401,
		"/.well-known/oauth-protected-resourceful":    401,
		"/tokens":      401,
		"/x/token":     401,
		"/.well-known": 401,
		"/mcp/..%2f..%2f.well-known/openid-configuration/x": 401,
	} {
		for _, method := range []string{"GET", "POST"} {
			got := send(t, method, server.URL+path)
			if got.status != want {
				t.Errorf("%s %s: %d, want %d", method, path, got.status, want)
			}
			if want == 404 {
				isRefusal(t, got, 404, "not found")
			}
			if challenge := got.header.Get("WWW-Authenticate"); (challenge != "") != (want == 401) || strings.Contains(challenge, "resource_metadata") {
				t.Errorf("%s %s: challenge %q", method, path, challenge)
			}
		}
	}
}

func TestBEAR5HealthNeedsNoTokenAndTellsNothing(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", Alive)
	mux.Handle("/", whoami)
	server := start(t, mux, bearerGuard(t, BearerConfig{Exempt: []string{"/healthz"}, MaxFailures: 1000}))
	for _, headers := range [][]string{nil, {"Authorization: Bearer " + wrongToken}, {"Authorization: Bearer " + goodToken}} {
		if got := send(t, "GET", server.URL+"/healthz", headers...); got.status != 200 || got.body != `{"status":"ok"}` {
			t.Errorf("health: %d %s", got.status, got.body)
		}
	}
	for _, request := range []string{
		"POST /healthz", "DELETE /healthz", "GET /", "GET /healthz/", "GET /healthz/x", "GET //healthz", "GET /HEALTHZ",
		"GET /%68ealthz", "GET /healthz%2f", "GET /x/../healthz", "GET /healthz/../mcp", "GET /mcp?/healthz", "GET /healthz;x",
	} {
		got := sendRaw(t, server, request+" HTTP/1.1", "Host: localhost", "Connection: close")
		if got.status != 401 {
			t.Errorf("%s: %d %s, want 401", request, got.status, got.body)
		}
	}
	if got := send(t, "POST", server.URL+"/healthz", "Authorization: Bearer "+goodToken); got.status != 405 || got.header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST with token: %d %v", got.status, got.header)
	}
}

func TestBearerBadConfigurationIsRefused(t *testing.T) {
	tokens := testTokens(t)
	for name, config := range map[string]BearerConfig{
		"no tokens":        {},
		"empty tokens":     {Tokens: &Tokens{}},
		"negative limit":   {Tokens: tokens, MaxFailures: -1},
		"negative window":  {Tokens: tokens, Window: -1},
		"negative sources": {Tokens: tokens, MaxSources: -1},
		"realm":            {Tokens: tokens, Realm: "a\r\nb"},
	} {
		if _, err := Bearer(config); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// The launcher answers 401 to malformed headers and audits refusals.
func TestBearerRefuseFuncSeesTheReason(t *testing.T) {
	var reasons []Reason
	guard := bearerGuard(t, BearerConfig{MaxFailures: 1, Refuse: func(w http.ResponseWriter, r *http.Request, refusal Refusal) {
		reasons = append(reasons, refusal.Reason)
		if refusal.Reason == ReasonInvalidRequest {
			refusal.Status = http.StatusUnauthorized
		}
		WriteRefusal(w, r, refusal)
	}})
	server := start(t, RequireScope("write")(whoami), guard)
	for _, tt := range []struct {
		authorization string
		status        int
		reason        Reason
	}{
		{"Bearer " + goodToken, 403, ReasonInsufficientScope},
		{"Basic x", 401, ReasonNoCredentials},
		{"Bearer", 401, ReasonInvalidRequest},
		{"Bearer " + wrongToken, 429, ReasonTooManyFailures},
	} {
		got := send(t, "POST", server.URL, "Authorization: "+tt.authorization)
		if got.status != tt.status || reasons[len(reasons)-1] != tt.reason {
			t.Errorf("%q: %d, %v; want %d, %s", tt.authorization, got.status, reasons, tt.status, tt.reason)
		}
	}
}

// Whatever stands in the header, the reading is one of the four, and a token is
// what follows the scheme.
func FuzzAuthorization(f *testing.F) {
	for _, row := range rows(f, "authorization.txt", 2) {
		values := append(unquoteAll(f, row[0]), "", "")
		f.Add(values[0], values[1], len(values)-2)
	}
	f.Fuzz(func(t *testing.T, first, second string, n int) {
		values := []string{first, second}[:max(0, min(2, n))]
		token, reason := parseAuthorization(values)
		switch reason {
		case ReasonNoCredentials, ReasonInvalidRequest:
			if token != "" {
				t.Errorf("%q: token %q with reason %s", values, token, reason)
			}
		case "":
			spaces := len(first) - len("bearer") - len(token)
			if len(values) != 1 || !strings.EqualFold(first, "bearer"+strings.Repeat(" ", max(0, spaces))+token) ||
				!strings.HasSuffix(first, " "+token) || !isBearerToken(token) {
				t.Errorf("%q: token %q", values, token)
			}
		default:
			t.Errorf("%q: reason %s", values, reason)
		}
	})
}
