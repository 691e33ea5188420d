package servehttp_test

import (
	"bytes"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"mcpworks/internal/httpguard"
	"mcpworks/internal/ratelimit"
	"mcpworks/internal/secret"
	"mcpworks/internal/servehttp"
)

const token = "3f786850e387550fdab836ed7e6dc881de23001b"

// lines is a log that many goroutines write.
type lines struct {
	mu  sync.Mutex
	out bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.String()
}

// closedStack is a stack that asks for a token, around a handler that says who
// is there.
func closedStack(t *testing.T, cfg servehttp.StackConfig) (*httptest.Server, *lines) {
	t.Helper()
	tokens, err := httpguard.NewTokens(httpguard.Token{Principal: "ci", Secret: secret.New(token)})
	if err != nil {
		t.Fatal(err)
	}
	log := &lines{}
	cfg.Tokens, cfg.Realm, cfg.NoToken = tokens, "test", []string{"/healthz"}
	cfg.Log = slog.New(slog.NewTextHandler(log, nil))
	guards, err := servehttp.Stack(cfg)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(guards(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/panic") {
			panic("boom")
		}
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		_, _ = io.WriteString(w, servehttp.Principal(r)+" "+servehttp.RequestID(r.Context()))
	})))
	t.Cleanup(web.Close)
	return web, log
}

func TestGuardsStandInTheirOrder(t *testing.T) {
	web, _ := closedStack(t, servehttp.StackConfig{Origins: []string{"https://app.example"}, AnyOrigin: []string{"/open"}, MaxBody: 100})
	const good = "Bearer " + token
	for _, test := range []struct {
		name   string // with the statement that wants it
		method string
		path   string
		header map[string]string
		body   string
		status int
		text   string // in the body
	}{
		{"good", "POST", "/mcp", map[string]string{"Authorization": good}, "x", 200, "ci "},
		{"HTTP-3 foreign host, before anything else", "POST", "/mcp", map[string]string{"Host": "evil.example", "Authorization": good}, "", 403, `"host not allowed"`},
		{"HTTP-2 foreign origin, with a good token", "POST", "/mcp", map[string]string{"Origin": "https://evil.example", "Authorization": good}, "", 403, `{"jsonrpc":"2.0","error":{"code":403,`},
		{"HTTP-2 in the words of REST", "GET", "/api/tools", map[string]string{"Origin": "null"}, "", 403, `{"success":false,"error":{"code":"FORBIDDEN","message":"origin not allowed"}}`},
		{"open by contract", "POST", "/open", map[string]string{"Origin": "https://evil.example", "Authorization": good}, "", 200, "ci "},
		{"open by contract, token all the same", "POST", "/open", map[string]string{"Origin": "https://evil.example"}, "", 401, ""},
		{"granted origin", "POST", "/mcp", map[string]string{"Origin": "https://app.example", "Authorization": good}, "", 200, ""},
		{"preflight needs no token", "OPTIONS", "/mcp", map[string]string{"Origin": "https://app.example", "Access-Control-Request-Method": "POST"}, "", 204, ""},
		{"BEAR-1 no token", "POST", "/mcp", nil, "", 401, `"authentication required"`},
		{"BEAR-1 in the words of REST", "POST", "/api/tools/x", nil, "", 401, `"code":"UNAUTHORIZED"`},
		{"BEAR-1 wrong token", "GET", "/sse", map[string]string{"Authorization": "Bearer nope"}, "", 401, ""},
		{"BEAR-2 no discovery", "GET", "/.well-known/oauth-protected-resource/mcp", nil, "", 404, ""},
		{"BEAR-5 health needs no token", "GET", "/healthz", nil, "", 200, ""},
		{"HTTP-17 body too long", "POST", "/mcp", map[string]string{"Authorization": good}, strings.Repeat("x", 101), 413, ""},
		{"HTTP-17 in the words of REST", "POST", "/api/tools/x", map[string]string{"Authorization": good}, strings.Repeat("x", 101), 413, `"code":"REQUEST_ENTITY_TOO_LARGE"`},
		{"a panic is an answer", "POST", "/api/panic", map[string]string{"Authorization": good}, "", 500, `"code":"INTERNAL_ERROR"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := http.NewRequest(test.method, web.URL+test.path, strings.NewReader(test.body))
			if err != nil {
				t.Fatal(err)
			}
			for name, value := range test.header {
				r.Header.Set(name, value)
				if name == "Host" {
					r.Host = value
				}
			}
			resp, err := web.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			body, _ := io.ReadAll(resp.Body)
			if resp.StatusCode != test.status || !strings.Contains(string(body), test.text) {
				t.Errorf("%d %s, want %d %s", resp.StatusCode, body, test.status, test.text)
			}
			if resp.Header.Get("X-Content-Type-Options") != "nosniff" || len(resp.Header.Get("X-Request-Id")) != 26 {
				t.Errorf("headers %v", resp.Header)
			}
		})
	}
}

func TestRequestIDsAreOurOwn(t *testing.T) {
	web, log := closedStack(t, servehttp.StackConfig{})
	seen := map[string]bool{}
	for range 3 {
		r, _ := http.NewRequest("GET", web.URL+"/mcp?token=QUERY", nil)
		r.Header.Set("X-Request-Id", "chosen")
		r.Header.Set("Authorization", "Bearer "+token)
		resp, err := web.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		id := resp.Header.Get("X-Request-Id")
		if id == "chosen" || seen[id] || string(body) != "ci "+id {
			t.Errorf("id %q, body %q", id, body)
		}
		seen[id] = true
	}
	web.Close() // and so the last line is written
	for id := range seen {
		if !strings.Contains(log.String(), "method=GET path=/mcp status=200 bytes=29") || !strings.Contains(log.String(), "request_id="+id) {
			t.Errorf("no line for %s in:\n%s", id, log)
		}
	}
	for _, hidden := range []string{"QUERY", token, "chosen"} {
		if strings.Contains(log.String(), hidden) {
			t.Errorf("the log tells %s:\n%s", hidden, log)
		}
	}
}

func TestSEC9ClientsThatAskTooOftenWait(t *testing.T) {
	web, _ := closedStack(t, servehttp.StackConfig{Rate: ratelimit.Config{Rate: 0.01, Burst: 2}})
	var last *http.Response
	for range 3 {
		r, _ := http.NewRequest("GET", web.URL+"/api/tools", nil)
		r.Header.Set("Authorization", "Bearer "+token)
		resp, err := web.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		last = resp
	}
	if last.StatusCode != http.StatusTooManyRequests || last.Header.Get("Retry-After") == "" {
		t.Errorf("third request: %d, Retry-After %q", last.StatusCode, last.Header.Get("Retry-After"))
	}
}

// HTTP-17: a body that does not come does not hold a connection forever.
func TestSlowBodiesAreGivenUp(t *testing.T) {
	web, _ := closedStack(t, servehttp.StackConfig{BodyTimeout: 50 * time.Millisecond})
	conn, err := net.Dial("tcp", web.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "+token+"\r\nContent-Length: 10\r\n\r\nhalf")
	_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	answer, err := io.ReadAll(conn) // until the server closes
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 413") {
		t.Errorf("%q, %v", answer, err)
	}
}

// The deadline is for the body alone: what follows it may take its time.
func TestSlowAnswersAreNotGivenUp(t *testing.T) {
	guards, err := servehttp.Stack(servehttp.StackConfig{BodyTimeout: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(guards(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case <-r.Context().Done():
			w.WriteHeader(http.StatusTeapot)
		case <-time.After(200 * time.Millisecond): // four times the deadline
		}
	})))
	defer web.Close()
	resp, err := web.Client().Post(web.URL, "text/plain", strings.NewReader("body"))
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatal(resp, err)
	}
	resp.Body.Close()
}

func TestUnusablePoliciesAreErrors(t *testing.T) {
	for name, cfg := range map[string]servehttp.StackConfig{
		"host":   {Hosts: httpguard.Hosts{Listen: "0.0.0.0:80"}},
		"origin": {Origins: []string{"app.example/"}},
		"rate":   {Rate: ratelimit.Config{Rate: -1}},
		"gate":   {InFlight: ratelimit.GateConfig{Total: -1}},
		"tokens": {Tokens: &httpguard.Tokens{}},
	} {
		if _, err := servehttp.Stack(cfg); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// A page of any origin may use a path that is open by contract, although a
// token is asked for: its preflight carries none.
func TestOpenPathsAnswerPreflightsWithoutToken(t *testing.T) {
	web, _ := closedStack(t, servehttp.StackConfig{AnyOrigin: []string{"/open"}})
	for path, want := range map[string]int{"/open": http.StatusOK, "/other": http.StatusForbidden} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodOptions, web.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Origin", "https://app.example.com")
		request.Header.Set("Access-Control-Request-Method", "POST")
		request.Header.Set("Access-Control-Request-Headers", "authorization,content-type")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		allowed := strings.Contains(response.Header.Get("Access-Control-Allow-Headers"), "Authorization")
		if response.StatusCode != want || allowed != (want == http.StatusOK) {
			t.Errorf("%s: %s, %v", path, response.Status, response.Header)
		}
	}
}

// HTTP-17: who is refused cannot hold a connection by not sending its body.
func TestHTTP17RefusedBodiesAreNotWaitedFor(t *testing.T) {
	web, _ := closedStack(t, servehttp.StackConfig{BodyTimeout: 50 * time.Millisecond})
	conn, err := net.Dial("tcp", web.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "POST /x HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{"); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn) // until the server hangs up
	if err != nil || !bytes.HasPrefix(answer, []byte("HTTP/1.1 401 ")) {
		t.Errorf("%q, %v", answer, err)
	}
}
