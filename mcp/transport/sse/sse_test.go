package sse_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport/sse"
)

// patience is for a test that fails; one that passes never waits for it.
const patience = 20 * time.Second

// A fixture is a server with a few tools, behind the transport.
type fixture struct {
	srv     *server.Server
	handler *sse.Handler
	events  chan string
	hold    chan struct{}
}

func newFixture(t *testing.T, opts sse.Options) *fixture {
	t.Helper()
	f := &fixture{events: make(chan string, 10_000), hold: make(chan struct{}, 1000)}
	tool := func(name, properties string, run func(context.Context, *server.ToolCall) (string, error)) server.Tool {
		return server.Tool{
			Tool: mcp.Tool{Name: name, Description: "For tests.", InputSchema: json.RawMessage(`{"type":"object","properties":{` + properties + `}}`)},
			Handler: func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
				text, err := run(ctx, call)
				if err != nil {
					return nil, err
				}
				return mcp.TextResult(text), nil
			},
		}
	}
	tools := []server.Tool{
		tool("echo", `"text":{"type":"string"}`, func(_ context.Context, call *server.ToolCall) (string, error) {
			text, _ := call.Arguments["text"].(string)
			return text, nil
		}),
		tool("big", "", func(context.Context, *server.ToolCall) (string, error) { return strings.Repeat("x", 1_000_000), nil }),
		tool("hold", "", func(ctx context.Context, call *server.ToolCall) (string, error) {
			call.Progress(ctx, 1, 0, "")
			f.events <- "holding"
			select {
			case <-f.hold:
				return "released", nil
			case <-ctx.Done():
				f.events <- "cancelled"
				return "", ctx.Err()
			}
		}),
		tool("sample", "", func(ctx context.Context, call *server.ToolCall) (string, error) {
			answers, err := call.Ask(ctx, map[string]mcp.InputRequest{
				"q": mcp.CreateMessage(json.RawMessage(`{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"maxTokens":10}`)),
			})
			return string(answers["q"]), err
		}),
	}
	var err error
	f.srv, err = server.New(server.Options{
		Info: mcp.Implementation{Name: "fixture", Version: "1"}, Tools: tools, Logging: true, ListChanged: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if opts.Principal == nil {
		opts.Principal = func(r *http.Request) string { return r.Header.Get("Principal") }
	}
	f.handler = sse.New(f.srv, opts)
	return f
}

func loopback(t *testing.T, opts sse.Options) (*fixture, *httptest.Server) {
	t.Helper()
	f := newFixture(t, opts)
	web := httptest.NewServer(f.handler)
	t.Cleanup(func() {
		f.handler.Close()
		web.Close()
		wantNoGoroutines(t)
	})
	return f, web
}

// wantNoGoroutines waits until no goroutine is left in this module but those
// of tests.
func wantNoGoroutines(t *testing.T) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		buf := make([]byte, 1<<22)
		var left []string
		for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			if strings.Contains(stack, "mcpworks/mcp") && !strings.Contains(stack, "testing.tRunner") {
				left = append(left, stack)
			}
		}
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines are left, the first is\n%s", len(left), left[0])
		}
		runtime.Gosched()
	}
}

// A stream is one open connection of a client.
type stream struct {
	t        *testing.T
	client   *http.Client
	base     string
	endpoint string
	who      string
	response *http.Response
	lines    *bufio.Reader
	hangUp   context.CancelFunc
}

func open(t *testing.T, client *http.Client, base, who string) *stream {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/sse", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Principal", who)
	response, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	s := &stream{t: t, client: client, base: base, who: who, response: response, lines: bufio.NewReader(response.Body), hangUp: cancel}
	if response.StatusCode != http.StatusOK {
		return s
	}
	kind, data := s.next()
	if kind != "endpoint" {
		t.Fatalf("SSE-1: the first event is %s %s", kind, data)
	}
	s.endpoint = data
	return s
}

// next returns the next event; comments are of the kind ":".
func (s *stream) next() (kind, data string) {
	for {
		line, err := s.lines.ReadString('\n')
		if err != nil {
			return "end", ""
		}
		line = strings.TrimSuffix(line, "\n")
		switch name, value, _ := strings.Cut(line, ": "); {
		case line == "" && kind != "":
			return kind, data
		case name == "event":
			kind = value
		case name == "data":
			data += value
		case strings.HasPrefix(line, ":"):
			kind = ":"
		}
	}
}

// message returns the next message.
func (s *stream) message() string {
	s.t.Helper()
	for {
		switch kind, data := s.next(); kind {
		case "message":
			return data
		case ":":
		default:
			s.t.Fatalf("got %s %s instead of a message", kind, data)
		}
	}
}

func (s *stream) want(fragments ...string) {
	s.t.Helper()
	got := s.message()
	for _, fragment := range fragments {
		if !strings.Contains(got, fragment) {
			s.t.Fatalf("got %s, want %s in it", got, fragment)
		}
	}
}

// post sends a message to the stream's endpoint.
func (s *stream) post(body string, headers ...string) *http.Response {
	s.t.Helper()
	return s.postTo(s.endpoint, strings.NewReader(body), headers...)
}

func (s *stream) postTo(endpoint string, body io.Reader, headers ...string) *http.Response {
	s.t.Helper()
	req, err := http.NewRequest(http.MethodPost, s.base+endpoint, body)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Principal", s.who)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	response, err := s.client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	if response.StatusCode == http.StatusAccepted && len(text) > 0 && string(text) != "Accepted" {
		s.t.Errorf("202 with the body %q", text)
	}
	response.Status = string(text)
	return response
}

func (s *stream) wantStatus(want int, body string) {
	s.t.Helper()
	if got := s.post(body); got.StatusCode != want {
		s.t.Errorf("%s: %d %s, want %d", body, got.StatusCode, got.Status, want)
	}
}

const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{"sampling":{}},"clientInfo":{"name":"c","version":"1"}}}`

func (s *stream) handshake() {
	s.t.Helper()
	s.wantStatus(http.StatusAccepted, initialize)
	s.want(`"id":0,`, `"protocolVersion":"2024-11-05"`)
	s.wantStatus(http.StatusAccepted, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

func call(id int, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{"progressToken":%d}}}`, id, tool, arguments, id)
}

func TestSSE1AConversation(t *testing.T) {
	f, web := loopback(t, sse.Options{})
	s := open(t, web.Client(), web.URL, "")
	defer s.hangUp()
	for name, want := range map[string]string{
		"Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no", "X-Content-Type-Options": "nosniff",
	} {
		if got := s.response.Header.Get(name); got != want {
			t.Errorf("HTTP-17: %s: %q", name, got)
		}
	}
	if !strings.HasPrefix(s.endpoint, "/sse?") {
		t.Errorf("endpoint %q", s.endpoint)
	}
	s.handshake()
	s.wantStatus(http.StatusAccepted, call(1, "echo", `{"text":"line\nbreak ☃"}`))
	s.want(`"id":1,`, `line\nbreak ☃`)
	s.wantStatus(http.StatusAccepted, `{"jsonrpc":"2.0","id":"x","method":"nothing/here"}`)
	s.want(`"id":"x",`, `"code":-32601`)
	s.wantStatus(http.StatusAccepted, call(2, "hold", "{}"))
	s.want(`"method":"notifications/progress"`, `"progressToken":2`)
	f.hold <- struct{}{}
	s.want(`"id":2,`, "released")
	s.wantStatus(http.StatusAccepted, call(3, "sample", "{}"))
	var asked struct {
		ID     json.RawMessage
		Method string
	}
	if err := json.Unmarshal([]byte(s.message()), &asked); err != nil || asked.Method != "sampling/createMessage" {
		t.Fatalf("%+v, %v", asked, err)
	}
	s.wantStatus(http.StatusAccepted, `{"jsonrpc":"2.0","id":`+string(asked.ID)+`,"result":{"model":"m","role":"assistant","content":{"type":"text","text":"sampled"}}}`)
	s.want(`"id":3,`, "sampled")
	if err := f.srv.SetTools(); err != nil {
		t.Fatal(err)
	}
	s.want("notifications/tools/list_changed")
	s.wantStatus(http.StatusAccepted, call(4, "hold", "{}"))
	s.wantStatus(http.StatusAccepted, `{"jsonrpc":"2.0","method":"notifications/unknown"}`)
}

// A session that agreed on 2025-03-26 has batches here as everywhere, and one
// from 2025-11-25 on leaves ids out that it could not read.
func TestRevisionsDiffer(t *testing.T) {
	_, web := loopback(t, sse.Options{})
	for version, id := range map[string]string{"2025-03-26": `"id":null`, "2025-11-25": `"2.0","error"`} {
		s := open(t, web.Client(), web.URL, "")
		s.wantStatus(http.StatusAccepted, strings.Replace(initialize, "2024-11-05", version, 1))
		s.want(`"protocolVersion":"` + version)
		s.wantStatus(http.StatusAccepted, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		if got := s.post("{"); !strings.Contains(got.Status, id) {
			t.Errorf("%s: %s, want %s", version, got.Status, id)
		}
		batch := `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/unknown"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`
		if version == "2025-03-26" {
			s.wantStatus(http.StatusAccepted, batch)
			answers := s.message() + s.message()
			if !strings.Contains(answers, `"id":1,`) || !strings.Contains(answers, `"id":2,`) {
				t.Errorf("answers %s", answers)
			}
		} else {
			s.wantStatus(http.StatusBadRequest, batch)
		}
		s.hangUp()
	}
}

func TestCAN2ACancelledCallIsNotAnswered(t *testing.T) {
	f, web := loopback(t, sse.Options{})
	s := open(t, web.Client(), web.URL, "")
	defer s.hangUp()
	s.handshake()
	s.wantStatus(http.StatusAccepted, call(1, "hold", "{}"))
	<-f.events
	s.want("notifications/progress")
	s.wantStatus(http.StatusAccepted, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	if got := <-f.events; got != "cancelled" {
		t.Errorf("the tool was %s", got)
	}
	s.wantStatus(http.StatusAccepted, `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	s.want(`"id":2,`)
}

func TestSSE2Statuses(t *testing.T) {
	f, web := loopback(t, sse.Options{MaxMessage: 1000, MaxSessions: 2, SessionCalls: 1})
	s := open(t, web.Client(), web.URL, "ann")
	defer s.hangUp()
	s.handshake()

	token := s.endpoint[strings.Index(s.endpoint, "=")+1:]
	if len(token) < 22 {
		t.Errorf("a token of %d characters", len(token))
	}
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for _, endpoint := range []string{"/sse", "/sse?session=", "/sse?session=nobody", "/sse?session=" + token + "x"} {
		if got := s.postTo(endpoint, strings.NewReader(ping)); got.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d, want 404", endpoint, got.StatusCode)
		}
	}
	if got := s.post(ping, "Principal", "bob"); got.StatusCode != http.StatusNotFound {
		t.Errorf("another's session: %d, want 404", got.StatusCode)
	}
	s.wantStatus(http.StatusRequestEntityTooLarge, call(1, "echo", `{"text":"`+strings.Repeat("x", 1000)+`"}`))
	if got := s.postTo(s.endpoint, io.MultiReader(strings.NewReader(strings.Repeat(" ", 2000)))); got.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("too long in chunks: %d, want 413", got.StatusCode)
	}
	for body, code := range map[string]string{
		"{": "-32700", "": "-32700", "[]": "-32600", "{}": "-32600", `"x"`: "-32600",
		`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`:     "-32600",
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`:    "-32600",
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`:     "-32600",
		`{"jsonrpc":"1.0","id":1,"method":"ping"}`:       "-32600",
		`{"jsonrpc":"2.0","id":1,"method":"ping"} extra`: "-32700",
	} {
		if got := s.post(body); got.StatusCode != http.StatusBadRequest || !strings.Contains(got.Status, `"code":`+code) {
			t.Errorf("%s: %d %s, want 400 with %s", body, got.StatusCode, got.Status, code)
		}
	}

	other := open(t, web.Client(), web.URL, "bob")
	if third := open(t, web.Client(), web.URL, "eve"); third.response.StatusCode != http.StatusServiceUnavailable || third.response.Header.Get("Retry-After") == "" {
		t.Errorf("one session too many: %s", third.response.Status)
	}
	other.hangUp()

	s.wantStatus(http.StatusAccepted, call(5, "hold", "{}"))
	<-f.events
	s.want("notifications/progress")
	if got := s.post(ping); got.StatusCode != http.StatusTooManyRequests || got.Header.Get("Retry-After") == "" {
		t.Errorf("one request too many: %d", got.StatusCode)
	}
	f.hold <- struct{}{}
	s.want(`"id":5,`)

	for _, method := range []string{http.MethodDelete, http.MethodPut} {
		req, err := http.NewRequest(method, web.URL+s.endpoint, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := web.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusMethodNotAllowed || response.Header.Get("Allow") == "" {
			t.Errorf("%s: %s", method, response.Status)
		}
	}
}

func TestSSE6TheSessionEndsWithItsStream(t *testing.T) {
	f, web := loopback(t, sse.Options{})
	s := open(t, web.Client(), web.URL, "")
	s.handshake()
	s.wantStatus(http.StatusAccepted, call(1, "hold", "{}"))
	<-f.events
	s.hangUp()
	if got := <-f.events; got != "cancelled" {
		t.Errorf("the tool was %s", got)
	}
	s.wantGone()
}

// wantGone waits until the server has noticed, and then finds nobody at the
// endpoint.
func (s *stream) wantGone() {
	s.t.Helper()
	wantNoGoroutines(s.t)
	s.wantStatus(http.StatusNotFound, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
}

func TestCloseEndsAllStreams(t *testing.T) {
	f, web := loopback(t, sse.Options{})
	var streams []*stream
	for range 20 {
		s := open(t, web.Client(), web.URL, "")
		s.handshake()
		s.wantStatus(http.StatusAccepted, call(1, "hold", "{}"))
		streams = append(streams, s)
	}
	f.handler.Close()
	for _, s := range streams {
		if rest, err := io.ReadAll(s.lines); err != nil {
			t.Errorf("%s: %v", rest, err)
		}
		s.wantStatus(http.StatusNotFound, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	}
}

func TestManySessionsThatComeAndGo(t *testing.T) {
	_, web := loopback(t, sse.Options{})
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			conn, err := net.Dial("tcp", web.Listener.Addr().String())
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			_, _ = io.WriteString(conn, "GET /sse HTTP/1.1\r\nHost: x\r\n\r\n")
			if i%2 == 0 {
				_, _ = conn.Read(make([]byte, 10))
			}
		})
	}
	for i := range 10 {
		all.Go(func() {
			s := open(t, web.Client(), web.URL, "")
			defer s.hangUp()
			s.handshake()
			for id := range 30 {
				s.wantStatus(http.StatusAccepted, call(id, "echo", fmt.Sprintf(`{"text":"%d of %d"}`, id, i)))
			}
			seen := map[string]bool{}
			for range 30 {
				seen[s.message()] = true
			}
			if len(seen) != 30 {
				t.Errorf("%d answers", len(seen))
			}
		})
	}
	all.Wait()
}

// A memory is a network of pipes, for tests by a clock of their own; see
// testing/synctest. Such a test ends only when all goroutines have.
type memory struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (m *memory) Accept() (net.Conn, error) {
	select {
	case conn := <-m.conns:
		return conn, nil
	case <-m.closed:
		return nil, net.ErrClosed
	}
}

func (m *memory) Close() error {
	close(m.closed)
	return nil
}

func (m *memory) Addr() net.Addr { return &net.TCPAddr{} }

func (m *memory) dial() net.Conn {
	ours, theirs := net.Pipe()
	m.conns <- theirs
	return ours
}

func inMemory(t *testing.T, opts sse.Options, test func(*testing.T, *fixture, *memory, *http.Client)) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, opts)
		m := &memory{conns: make(chan net.Conn), closed: make(chan struct{})}
		web := &http.Server{Handler: f.handler}
		served := make(chan error, 1)
		go func() { served <- web.Serve(m) }()
		transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return m.dial(), nil }}
		test(t, f, m, &http.Client{Transport: transport})
		transport.CloseIdleConnections()
		f.handler.Close()
		_ = web.Close()
		<-served
	})
}

func TestSSE6KeepAlive(t *testing.T) {
	inMemory(t, sse.Options{}, func(t *testing.T, _ *fixture, _ *memory, client *http.Client) {
		s := open(t, client, "http://x", "")
		defer s.hangUp()
		for range 10 {
			last := time.Now()
			if kind, _ := s.next(); kind != ":" {
				t.Fatalf("got %s", kind)
			}
			if gap := time.Since(last); gap > 30*time.Second {
				t.Errorf("%v without a word", gap)
			}
		}
	})
}

func TestSSE6AStalledReaderIsCutOff(t *testing.T) {
	for name, opts := range map[string]sse.Options{
		"in time":     {StallTimeout: 10 * time.Second},
		"by the size": {StallTimeout: 1000 * time.Hour, KeepAlive: 1000 * time.Hour, MaxUnsent: 100_000},
	} {
		t.Run(name, func(t *testing.T) {
			inMemory(t, opts, func(t *testing.T, f *fixture, m *memory, client *http.Client) {
				conn := m.dial()
				if _, err := io.WriteString(conn, "GET /sse HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
					t.Fatal(err)
				}
				response, err := http.ReadResponse(bufio.NewReaderSize(conn, 16), nil)
				if err != nil {
					t.Fatal(err)
				}
				s := &stream{t: t, client: client, base: "http://x", lines: bufio.NewReaderSize(response.Body, 16)}
				_, s.endpoint = s.next() // and nothing after it
				s.wantStatus(http.StatusAccepted, initialize)
				time.Sleep(time.Second)
				for id := range 3 {
					s.post(call(id, "big", "{}"))
					time.Sleep(time.Second)
				}
				time.Sleep(time.Minute)
				synctest.Wait()
				if name == "by the size" {
					_ = conn.Close() // what is being written cannot be taken back
					synctest.Wait()
				}
				s.wantStatus(http.StatusNotFound, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
				_ = conn.Close()
			})
		})
	}
}
