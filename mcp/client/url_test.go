package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/client"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// A site is an HTTP server that answers each method as a table says, and writes
// down what it was asked.
type site struct {
	answers map[string]string // of "POST initialize", "GET", "DELETE": status, a blank and a body
	mu      sync.Mutex
	asked   []string
}

// The answers that most sites give.
const (
	isModern  = `200 {"jsonrpc":"2.0","id":$id,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}}`
	isLegacy  = `200 {"jsonrpc":"2.0","id":$id,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}`
	isTaken   = `202 `
	notThere  = `404 page not found`
	noTools   = `200 {"jsonrpc":"2.0","id":$id,"result":{"resultType":"complete","tools":[]}}`
	notKnown  = `{"jsonrpc":"2.0","id":$id,"error":{"code":-32601,"message":"Method not found"}}`
	onlyOlder = `{"jsonrpc":"2.0","id":$id,"error":{"code":-32022,"message":"unsupported","data":{"supported":["2025-11-25"],"requested":"2026-07-28"}}}`
)

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var message struct {
		ID     json.RawMessage
		Method string
	}
	what := r.Method
	if body, _ := io.ReadAll(r.Body); len(body) > 0 {
		_ = json.Unmarshal(body, &message)
		what += " " + message.Method
	}
	s.mu.Lock()
	s.asked = append(s.asked, what)
	answer := s.answers[what]
	s.mu.Unlock()
	status, body := 405, ""
	_, _ = fmt.Sscan(answer, &status)
	if _, rest, ok := strings.Cut(answer, " "); ok {
		body = strings.ReplaceAll(rest, "$id", string(message.ID))
	}
	switch {
	case strings.HasPrefix(body, "{"):
		w.Header().Set("Content-Type", "application/json")
	case strings.HasPrefix(body, "event:"):
		w.Header().Set("Content-Type", "text/event-stream")
	}
	if status == 401 {
		w.Header().Set("WWW-Authenticate", `Bearer realm="site"`)
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

func (s *site) log() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(slices.DeleteFunc(slices.Clone(s.asked), func(what string) bool {
		return what == "GET" && strings.Contains(s.answers["POST initialize"], "result") || what == "DELETE"
	}), ", ")
}

const discoverThenInitialize = "POST server/discover, POST initialize"

func TestERA12WhatASiteSpeaks(t *testing.T) {
	for name, test := range map[string]struct {
		answers map[string]string
		opts    client.Options
		version string // empty if it fails
		err     string
		log     string
	}{
		"modern": {
			answers: map[string]string{"POST server/discover": isModern},
			version: "2026-07-28", log: "POST server/discover",
		},
		"legacy, 400 and no JSON": {
			answers: map[string]string{"POST server/discover": "400 Bad Request", "POST initialize": isLegacy, "POST notifications/initialized": isTaken},
			version: "2025-11-25", log: discoverThenInitialize + ", POST notifications/initialized",
		},
		"legacy, 400 and an error without meaning": {
			answers: map[string]string{"POST server/discover": `400 {"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: Server not initialized"}}`, "POST initialize": isLegacy, "POST notifications/initialized": isTaken},
			version: "2025-11-25", log: discoverThenInitialize + ", POST notifications/initialized",
		},
		"legacy, 404": {
			answers: map[string]string{"POST server/discover": notThere, "POST initialize": isLegacy, "POST notifications/initialized": isTaken},
			version: "2025-11-25", log: discoverThenInitialize + ", POST notifications/initialized",
		},
		"legacy, 200 and method not found": {
			answers: map[string]string{"POST server/discover": "200 " + notKnown, "POST initialize": isLegacy, "POST notifications/initialized": isTaken},
			version: "2025-11-25", log: discoverThenInitialize + ", POST notifications/initialized",
		},
		"legacy, 500": {
			answers: map[string]string{"POST server/discover": "500 oops", "POST initialize": isLegacy, "POST notifications/initialized": isTaken},
			version: "2025-11-25", log: discoverThenInitialize + ", POST notifications/initialized",
		},
		"legacy, an error that lists its versions": {
			answers: map[string]string{"POST server/discover": "400 " + onlyOlder, "POST initialize": isLegacy, "POST notifications/initialized": isTaken},
			version: "2025-11-25", log: discoverThenInitialize + ", POST notifications/initialized",
		},
		"modern, without discovery": {
			answers: map[string]string{"POST server/discover": "404 " + notKnown, "POST initialize": "404 " + notKnown},
			version: "2026-07-28", log: discoverThenInitialize,
		},
		"modern, without discovery, and nothing else is wanted": {
			answers: map[string]string{"POST server/discover": "404 " + notKnown},
			opts:    client.Options{Era: client.Modern}, version: "2026-07-28", log: "POST server/discover",
		},
		"modern, by its list": {
			answers: map[string]string{"POST server/discover": "200 " + notKnown, "POST tools/list": noTools},
			opts:    client.Options{Era: client.Modern}, version: "2026-07-28", log: "POST server/discover, POST tools/list",
		},
		"legacy, and nothing else than modern is wanted": {
			answers: map[string]string{"POST server/discover": "200 " + notKnown, "POST tools/list": `200 {"jsonrpc":"2.0","id":$id,"result":{"tools":[]}}`},
			opts:    client.Options{Era: client.Modern}, err: "the server does not speak the modern era", log: "POST server/discover, POST tools/list",
		},
		"ERA-9, a modern error": {
			answers: map[string]string{"POST server/discover": `400 {"jsonrpc":"2.0","id":$id,"error":{"code":-32020,"message":"header mismatch"}}`},
			err:     "header mismatch (code -32020)", log: "POST server/discover",
		},
		"ERA-13, 401": {
			answers: map[string]string{"POST server/discover": "401 no", "POST initialize": isLegacy},
			err:     "does not accept the credentials: HTTP status 401", log: "POST server/discover",
		},
		"ERA-13, 403": {
			answers: map[string]string{"POST server/discover": "403 no", "POST initialize": isLegacy},
			err:     "does not accept the credentials: HTTP status 403", log: "POST server/discover",
		},
		"ERA-13, 502": {
			answers: map[string]string{"POST server/discover": "502 gateway", "POST initialize": isLegacy},
			err:     "server/discover: HTTP status 502", log: "POST server/discover",
		},
		"SSE-4, 500 twice": {
			answers: map[string]string{"POST server/discover": "500 oops", "POST initialize": "500 oops"},
			err:     "initialize: HTTP status 500", log: discoverThenInitialize,
		},
		"SSE-4, 401 to initialize": {
			answers: map[string]string{"POST server/discover": "400 no", "POST initialize": "401 no"},
			err:     "HTTP status 401", log: discoverThenInitialize,
		},
		"SSE-4, nothing anywhere": {
			answers: map[string]string{"POST server/discover": "406 no", "POST initialize": "406 no", "GET": notThere},
			err:     "initialize: HTTP status 406 (HTTP+SSE: HTTP status 404)", log: discoverThenInitialize + ", GET",
		},
		"SSE-4, a page": {
			answers: map[string]string{"POST server/discover": "405 ", "POST initialize": "405 ", "GET": "200 <html>"},
			err:     "HTTP status 405", log: discoverThenInitialize + ", GET",
		},
		"SSE-5, an endpoint elsewhere": {
			answers: map[string]string{"POST server/discover": "405 ", "POST initialize": "405 ", "GET": "200 event: endpoint\ndata: http://example.com/\n\n"},
			err:     "origin", log: discoverThenInitialize + ", GET",
		},
		"a page that answers everything": {
			answers: map[string]string{"POST server/discover": "200 <html>", "POST initialize": "200 <html>"},
			err:     "initialize: the answer is no message", log: discoverThenInitialize,
		},
		"ERA-15, modern only": {
			answers: map[string]string{"POST server/discover": "400 no", "POST initialize": isLegacy},
			opts:    client.Options{Era: client.Modern},
			err:     "HTTP status 400", log: "POST server/discover",
		},
		"ERA-15, legacy only": {
			answers: map[string]string{"POST server/discover": isModern, "POST initialize": isLegacy, "POST notifications/initialized": isTaken},
			opts:    client.Options{Era: client.Legacy},
			version: "2025-11-25", log: "POST initialize, POST notifications/initialized",
		},
		"streamable only": {
			answers: map[string]string{"POST initialize": "405 no"},
			opts:    client.Options{Era: client.Legacy, Way: client.Streamable},
			err:     "HTTP status 405", log: "POST initialize",
		},
		"HTTP+SSE only": {
			answers: map[string]string{"GET": notThere},
			opts:    client.Options{Way: client.SSE},
			err:     "HTTP status 404", log: "GET",
		},
		"nothing in common": {
			answers: map[string]string{"POST server/discover": "400 " + strings.ReplaceAll(onlyOlder, "2025-11-25", "2030-01-01")},
			err:     "the server 2030-01-01", log: "POST server/discover",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answers := &site{answers: test.answers}
			web := httptest.NewServer(answers)
			defer web.Close()
			s, err := client.Connect(within(t, patient), client.URL(web.URL), test.opts)
			switch {
			case err == nil && test.version == "":
				t.Errorf("speaks %s", s.Version())
			case err == nil && s.Version() != test.version:
				t.Errorf("speaks %s", s.Version())
			case err != nil && (test.version != "" || !strings.Contains(err.Error(), test.err)):
				t.Error(err)
			}
			if strings.Contains(test.err, "credentials") && !errors.Is(err, client.ErrUnauthorized) {
				t.Errorf("not unauthorized: %v", err)
			}
			if err == nil {
				if err := s.Close(context.Background()); err != nil {
					t.Errorf("Close: %v", err)
				}
			}
			if got := answers.log(); got != test.log {
				t.Errorf("asked %s\nwant  %s", got, test.log)
			}
		})
	}
}

func TestSSE4FallBackToTheOldTransport(t *testing.T) {
	url := serveHTTP(t, echoServer(t, nil)) + "/sse"
	s := connect(t, client.URL(url), client.Options{})
	if got := say(within(t, patient), s, "echo", "old"); got != "old" {
		t.Errorf("%q", got)
	}
	var ways []string
	for _, try := range s.Attempts() {
		ways = append(ways, strings.TrimSpace(try.Way+" "+try.Method))
	}
	want := []string{"streamable", "streamable server/discover", "streamable initialize", "sse", "sse initialize"}
	if !slices.Equal(ways, want) {
		t.Errorf("tried %q", ways)
	}
	var refused *transport.StatusError
	if err := s.Attempts()[1].Err; !errors.As(err, &refused) || refused.Status != 404 {
		t.Errorf("the first attempt: %v", err)
	}
}

func TestServerThatIsNotThere(t *testing.T) {
	web := httptest.NewServer(http.NotFoundHandler())
	web.Close()
	for _, way := range []client.Way{client.AnyWay, client.SSE} {
		_, err := client.Connect(within(t, patient), client.URL(web.URL), client.Options{Way: way})
		if err == nil || !strings.Contains(err.Error(), "cannot be reached") {
			t.Errorf("%v", err)
		}
	}
	for _, url := range []string{"", "ftp://example.com", "http://", ":"} {
		if _, err := client.Connect(within(t, patient), client.URL(url), client.Options{}); err == nil {
			t.Errorf("%q is an address", url)
		}
	}
}

func TestBusyServerIsWaitedFor(t *testing.T) {
	busy := 2
	answers := &site{answers: map[string]string{"POST server/discover": isModern, "POST tools/list": noTools}}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Method") == "tools/list" && busy > 0 {
			busy--
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		answers.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	s := connect(t, client.URL(web.URL), client.Options{})
	if _, err := s.AllTools(within(t, patient)); err != nil || busy != 0 {
		t.Errorf("%v, %d left", err, busy)
	}
	busy = 4
	if _, err := s.AllTools(within(t, patient)); err == nil || busy != 0 {
		t.Errorf("%v, %d left", err, busy)
	}
	busy = 0
	web.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "10")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	begin := time.Now()
	if _, err := s.AllTools(within(t, time.Second)); err == nil || time.Since(begin) > time.Second/2 {
		t.Errorf("%v after %v", err, time.Since(begin))
	}
}

// A flaky is a legacy server that forgets its session now and then.
type flaky struct {
	mu          sync.Mutex
	session     int // the current one
	opened      int // by initialize
	withSession int // requests of initialize that had one
	calls       map[string]int
}

func (f *flaky) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.session = -1
}

func (f *flaky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m struct {
		ID     json.RawMessage
		Method string
	}
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	_ = json.NewDecoder(r.Body).Decode(&m)
	f.mu.Lock()
	defer f.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	given := r.Header.Get("Mcp-Session-Id")
	switch {
	case m.Method == "initialize":
		f.opened++
		if given != "" {
			f.withSession++
		}
		f.session = f.opened
		w.Header().Set("Mcp-Session-Id", fmt.Sprint("session-", f.session))
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}`, m.ID)
	case given != fmt.Sprint("session-", f.session):
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`)
	case m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
	default:
		f.calls[m.Method]++
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[],"content":[]}}`, m.ID)
	}
}

func TestHTTP10SessionIsRenewedOnce(t *testing.T) {
	f := &flaky{calls: map[string]int{}}
	web := httptest.NewServer(f)
	t.Cleanup(web.Close)
	s := connect(t, client.URL(web.URL), client.Options{Revision: mcp.V20250618})
	ctx := within(t, patient)
	if _, err := s.AllTools(ctx); err != nil {
		t.Fatal(err)
	}
	f.forget()
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			if _, err := s.AllTools(ctx); err != nil {
				t.Errorf("a list after the session was forgotten: %v", err)
			}
		})
	}
	all.Wait()
	if f.opened != 2 || f.withSession != 0 || f.calls["tools/list"] != 11 {
		t.Errorf("opened %d times, %d of them in a session, %d lists", f.opened, f.withSession, f.calls["tools/list"])
	}

	f.forget()
	if _, err := s.CallTool(ctx, "act", nil); !errors.Is(err, client.ErrSessionExpired) {
		t.Errorf("a call after the session was forgotten: %v", err)
	}
	if _, err := s.CallTool(ctx, "act", nil); err != nil || f.opened != 3 || f.calls["tools/call"] != 1 {
		t.Errorf("%v, opened %d times, %d calls", err, f.opened, f.calls["tools/call"])
	}
}

// A server that forgets every session at once is not asked for ever.
func TestHTTP10NoLoop(t *testing.T) {
	f := &flaky{calls: map[string]int{}}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.ServeHTTP(w, r)
		if r.Header.Get("Mcp-Session-Id") != "" { // behind the handshake
			f.forget()
		}
	}))
	t.Cleanup(web.Close)
	s := connect(t, client.URL(web.URL), client.Options{Revision: mcp.V20250618})
	var refused *transport.StatusError
	if _, err := s.AllTools(within(t, patient)); !errors.As(err, &refused) || refused.Status != 404 || f.opened != 2 {
		t.Errorf("%v, opened %d times", err, f.opened)
	}
}

func TestMH11LostAnswerIsAskedForAgainIfHarmless(t *testing.T) {
	lose := 1
	answers := &site{answers: map[string]string{
		"POST server/discover": isModern, "POST tools/list": noTools,
		"POST tools/call": `200 {"jsonrpc":"2.0","id":$id,"result":{"content":[]}}`,
	}}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.Header.Get("Mcp-Method"), "tools/") && lose > 0 {
			lose--
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, ": the answer will not come\n\n")
			return
		}
		answers.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	s := connect(t, client.URL(web.URL), client.Options{})
	ctx := within(t, patient)
	if _, err := s.AllTools(ctx); err != nil || lose != 0 {
		t.Errorf("list: %v", err)
	}
	lose = 1
	if _, err := s.CallTool(ctx, "act", nil); !errors.Is(err, transport.ErrLost) {
		t.Errorf("call: %v", err)
	}
	if got := answers.log(); strings.Contains(got, "tools/call") {
		t.Errorf("the call was sent again: %s", got)
	}
	lose = 2
	if _, err := s.AllTools(ctx); !errors.Is(err, transport.ErrLost) {
		t.Errorf("list, lost twice: %v", err)
	}
}

func TestErrorsInTheBodyOfAStatus(t *testing.T) {
	answers := &site{answers: map[string]string{
		"POST server/discover": isModern, "POST tools/list": "404 " + notKnown, "POST x/y": "400 not json",
	}}
	web := httptest.NewServer(answers)
	t.Cleanup(web.Close)
	s := connect(t, client.URL(web.URL), client.Options{})
	ctx := within(t, patient)
	_, err := s.AllTools(ctx)
	var refused *transport.StatusError
	if !errors.Is(err, &jsonrpc.Error{Code: jsonrpc.MethodNotFound}) || !errors.As(err, &refused) || refused.Status != 404 {
		t.Errorf("%v", err)
	}
	if _, err := s.Call(ctx, "x/y", nil); !errors.As(err, &refused) || refused.Status != 400 {
		t.Errorf("%v", err)
	}
}

func TestERA14LegacyOriginsAreRemembered(t *testing.T) {
	answers := &site{answers: map[string]string{"POST server/discover": notThere, "POST initialize": isLegacy, "POST notifications/initialized": isTaken}}
	web := httptest.NewServer(answers)
	t.Cleanup(web.Close)
	eras := &client.Eras{}
	for _, want := range []string{"2025-11-25", "2025-11-25"} {
		if s := connect(t, client.URL(web.URL+"/mcp"), client.Options{Eras: eras}); s.Version() != want {
			t.Errorf("speaks %s", s.Version())
		}
	}
	if got := strings.Count(answers.log(), "server/discover"); got != 1 {
		t.Errorf("the server was asked %d times what it is", got)
	}
	answers.mu.Lock()
	answers.answers = map[string]string{"POST server/discover": isModern}
	answers.mu.Unlock()
	for range 2 {
		if s := connect(t, client.URL(web.URL+"/mcp"), client.Options{Eras: eras}); s.Version() != "2026-07-28" {
			t.Errorf("speaks %s", s.Version())
		}
	}
	if got := strings.Count(answers.log(), "POST initialize"); got != 3 {
		t.Errorf("initialize was tried %d times", got)
	}

	url := client.URL(serveHTTP(t, echoServer(t, nil)) + "/sse")
	for _, want := range []int{5, 2} {
		if s := connect(t, url, client.Options{Eras: eras}); len(s.Attempts()) != want {
			t.Errorf("attempts %+v", s.Attempts())
		}
	}
}
