package sse_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/sse"
)

func dial(t *testing.T, url string, opts sse.LineOptions) *sse.Line {
	t.Helper()
	line, err := sse.Dial(t.Context(), url, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { hangUp(t, line) })
	return line
}

func hangUp(t *testing.T, line *sse.Line) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := line.Close(ctx); err != nil {
		t.Errorf("close: %v", err)
	}
	if _, err := line.Receive(); !errors.Is(err, transport.ErrClosed) {
		t.Errorf("receiving after Close: %v", err)
	}
	if err := line.Send(ctx, transport.Outgoing{}); !errors.Is(err, transport.ErrClosed) {
		t.Errorf("sending after Close: %v", err)
	}
}

func request(id int, method, params string) transport.Outgoing {
	return transport.Outgoing{
		ID: jsonrpc.IntID(int64(id)), Method: method,
		Frame: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params),
	}
}

func send(t *testing.T, line *sse.Line, out transport.Outgoing) {
	t.Helper()
	if err := line.Send(t.Context(), out); err != nil {
		t.Fatalf("sending %s: %v", out.Frame, err)
	}
}

// await receives until a frame has a text.
func await(t *testing.T, line *sse.Line, text string) string {
	t.Helper()
	for {
		frame, err := line.Receive()
		if err != nil {
			t.Fatalf("waiting for %s: %v", text, err)
		}
		if strings.Contains(string(frame), text) {
			return string(frame)
		}
	}
}

func TestLineTalksToOurServer(t *testing.T) {
	for _, rev := range mcp.Revisions() {
		if rev.Modern {
			continue
		}
		t.Run(rev.Version, func(t *testing.T) {
			f, web := loopback(t, sse.Options{})
			line := dial(t, web.URL+"/some/path?with=query", sse.LineOptions{})
			send(t, line, request(1, "initialize", `{"protocolVersion":"`+rev.Version+`","capabilities":{"sampling":{}},"clientInfo":{"name":"c","version":"1"}}`))
			await(t, line, rev.Version)
			line.Assume(rev)
			if line.CancelsByContext() {
				t.Error("CAN-1: a request that was taken is cancelled by a message only")
			}
			send(t, line, transport.Outgoing{Method: mcp.NotifyInitialized, Frame: []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)})
			send(t, line, request(2, "tools/call", `{"name":"echo","arguments":{"text":"☃\n"}}`))
			await(t, line, `☃\n`)
			send(t, line, request(3, "tools/call", `{"name":"big"}`))
			if got := await(t, line, `"id":3`); len(got) < 1_000_000 {
				t.Errorf("big: %d bytes", len(got))
			}

			send(t, line, request(4, "tools/call", `{"name":"sample"}`))
			question, err := jsonrpc.Parse([]byte(await(t, line, mcp.MethodCreateMessage)))
			if err != nil {
				t.Fatal(err)
			}
			answer := append(jsonrpc.AppendResponse(nil, question.ID), `{"model":"m","role":"assistant","content":{"type":"text","text":"sampled"}}}`...)
			send(t, line, transport.Outgoing{ID: question.ID, Frame: answer})
			await(t, line, "sampled")

			send(t, line, request(5, "tools/call", `{"name":"hold"}`))
			<-f.events
			send(t, line, transport.Outgoing{Method: mcp.NotifyCancelled, Frame: []byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`)})
			if said := <-f.events; said != "cancelled" {
				t.Errorf("the tool was %s", said)
			}
		})
	}
}

// A script is a server that a test writes by hand.
type script struct {
	stream, post http.HandlerFunc
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		s.stream(w, r)
		return
	}
	s.post(w, r)
}

// on serves a handler over loopback and looks for goroutines at the end.
func on(t *testing.T, handler http.Handler) string {
	t.Helper()
	srv := httptest.NewServer(handler)
	t.Cleanup(func() {
		srv.CloseClientConnections()
		srv.Close()
		wantNoGoroutines(t)
	})
	return srv.URL
}

// events is a stream with this text; it stays open if the text ends with "…".
func events(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		text, stays := strings.CutSuffix(text, "…")
		_, _ = io.WriteString(w, strings.ReplaceAll(text, "$host", r.Host))
		_ = http.NewResponseController(w).Flush()
		if stays {
			<-r.Context().Done()
		}
	}
}

func TestSSE5Endpoints(t *testing.T) {
	for address, want := range map[string]string{
		"/messages?session=1":               "/messages?session=1",
		"messages":                          "/dir/messages",
		"?s=1":                              "/dir/sse?s=1",
		"../up":                             "/up",
		"http://$host/messages":             "/messages",
		"//$host/messages":                  "/messages",
		"HTTP://$host/x#fragment":           "/x",
		"":                                  "/dir/sse",
		"/with space":                       "/with%20space",
		"https://$host/messages":            "",
		"http://example.com/messages":       "",
		"//example.com/messages":            "",
		"http://$host.example.com/":         "",
		"http://user:pass@$host/":           "",
		"http://$host@example.com/":         "",
		"http://127.0.0.1:1/":               "",
		"http:///messages":                  "",
		"javascript:alert(1)":               "",
		"file:///etc/passwd":                "",
		"http://[::1":                       "",
		"/%zz":                              "",
		"\\\\example.com\\x":                "/dir/%5C%5Cexample.com%5Cx",
		"/a\ndata: /b":                      "",
		strings.Repeat("x", 5000) + "/long": "",
	} {
		t.Run(strings.Map(func(c rune) rune {
			if c == '/' || c == '\n' {
				return '|'
			}
			return c
		}, address[:min(len(address), 40)]), func(t *testing.T) {
			posted := make(chan string, 1)
			url := on(t, &script{events("event: endpoint\ndata: " + address + "\n\n…"), func(w http.ResponseWriter, r *http.Request) {
				posted <- r.URL.RequestURI()
				w.WriteHeader(http.StatusAccepted)
			}})
			line, err := sse.Dial(t.Context(), url+"/dir/sse", sse.LineOptions{MaxMessage: 4000})
			if (err == nil) != (want != "") {
				t.Fatalf("error %v", err)
			}
			if err != nil {
				return
			}
			defer hangUp(t, line)
			send(t, line, request(1, "ping", "{}"))
			if got := <-posted; got != want {
				t.Errorf("posted to %s, want %s", got, want)
			}
		})
	}
}

func TestLineRefusals(t *testing.T) {
	status := func(code int, contentType, body string, headers ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			for i := 0; i < len(headers); i += 2 {
				w.Header().Set(headers[i], headers[i+1])
			}
			w.WriteHeader(code)
			_, _ = io.WriteString(w, body)
		}
	}
	for name, test := range map[string]struct {
		stream http.HandlerFunc
		want   error // nil if only ErrLost is known
	}{
		"no method":     {status(405, "text/plain", "no"), &transport.StatusError{Status: 405, Body: []byte("no")}},
		"not found":     {status(404, "application/json", "{}"), &transport.StatusError{Status: 404, Body: []byte("{}"), JSON: true}},
		"unauthorized":  {status(401, "", "", "WWW-Authenticate", "Bearer"), &transport.StatusError{Status: 401, Body: []byte{}, Challenge: "Bearer"}},
		"busy":          {status(503, "", "", "Retry-After", "1"), &transport.StatusError{Status: 503, Body: []byte{}, RetryAfter: "1"}},
		"away":          {status(302, "", "", "Location", "http://example.com/"), &transport.StatusError{Status: 302, Body: []byte{}, Location: "http://example.com/"}},
		"a page":        {status(200, "text/html", "<html>"), &transport.ContentError{Type: "text/html", Body: []byte("<html>")}},
		"JSON":          {status(200, "application/json", "{}"), &transport.ContentError{Type: "application/json", Body: []byte("{}")}},
		"another event": {events("data: {}\n\nevent: endpoint\ndata: /\n\n"), &transport.ContentError{Type: "text/event-stream", Body: []byte("{}")}},
		"no event":      {events(""), nil},
		"half an event": {events("event: endpoint\ndata: /\n"), nil},
		"hung up": {func(w http.ResponseWriter, _ *http.Request) {
			conn, _, _ := http.NewResponseController(w).Hijack()
			_ = conn.Close()
		}, nil},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			_, err := sse.Dial(t.Context(), on(t, test.stream), sse.LineOptions{})
			switch want := test.want.(type) {
			case *transport.StatusError:
				got := (*transport.StatusError)(nil)
				if !errors.As(err, &got) || !cmp.Equal(want, got) {
					t.Errorf("%v: %s", err, cmp.Diff(want, got))
				}
			case *transport.ContentError:
				got := (*transport.ContentError)(nil)
				if !errors.As(err, &got) || !cmp.Equal(want, got) {
					t.Errorf("%v: %s", err, cmp.Diff(want, got))
				}
			default:
				if !errors.Is(err, transport.ErrLost) {
					t.Errorf("error %v", err)
				}
			}
		})
	}
	for _, address := range []string{"", "example.com", "ftp://example.com/", "http://"} {
		if _, err := sse.Dial(t.Context(), address, sse.LineOptions{}); err == nil {
			t.Errorf("%q was accepted", address)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = listener.Close()
	if _, err := sse.Dial(t.Context(), "http://"+listener.Addr().String(), sse.LineOptions{}); err == nil || errors.Is(err, transport.ErrLost) {
		t.Errorf("a server that is not there: %v", err)
	}
}

func TestLineReceives(t *testing.T) {
	const start = ": hello\n\nevent: endpoint\ndata: /\n\n"
	tooLong := &transport.FrameError{Limit: 1000}
	for name, test := range map[string]struct {
		stream http.HandlerFunc
		want   []string // "too long" for a FrameError
		lost   bool
	}{
		"messages": {events(start + "event: message\ndata: {}\n\ndata: []\n\ndata: no\ndata: JSON\n\n"), []string{"{}", "[]", "no\nJSON"}, false},
		"others":   {events(start + "event: endpoint\ndata: /other\n\nevent: ping\ndata: {}\n\ndata\n\n: comment\n\ndata: {}\n\n"), []string{"{}"}, false},
		"half":     {events(start + "data: {}\n\ndata: {}\n"), []string{"{}"}, false},
		"too long": {events(start + "data: " + strings.Repeat("x", 5000) + "\n\ndata: {}\n\n"), []string{"too long", "{}"}, false},
		"broken off": {func(w http.ResponseWriter, _ *http.Request) {
			conn, _, _ := http.NewResponseController(w).Hijack()
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 10000\r\n\r\n"+start+"data: {}\n\n")
			_ = conn.Close()
		}, []string{"{}"}, true},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			line := dial(t, on(t, &script{test.stream, nil}), sse.LineOptions{MaxMessage: 1000})
			var got []string
			for {
				frame, err := line.Receive()
				if errors.As(err, new(*transport.FrameError)) {
					if diff := cmp.Diff(error(tooLong), err); diff != "" {
						t.Errorf("-want +got:\n%s", diff)
					}
					frame, err = []byte("too long"), nil
				}
				if err != nil {
					if errors.Is(err, io.EOF) == test.lost || errors.Is(err, transport.ErrLost) != test.lost {
						t.Errorf("the end is %v", err)
					}
					if again := line.Send(t.Context(), request(1, "ping", "{}")); !errors.Is(again, err) {
						t.Errorf("sending after the end: %v", again)
					}
					break
				}
				got = append(got, string(frame))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestLineSends(t *testing.T) {
	seen := make(chan http.Header, 10)
	answers := make(chan http.HandlerFunc, 10)
	url := on(t, &script{events("event: endpoint\ndata: /post\n\n…"), func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then a server notices who is gone
		seen <- r.Header.Clone()
		(<-answers)(w, r)
	}})
	line := dial(t, url, sse.LineOptions{
		Header:    http.Header{"Extra": {"yes"}, "Content-Type": {"text/plain"}},
		Authorize: func(r *http.Request) error { r.Header.Set("Authorization", "Bearer x"); return nil },
	})
	answers <- func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }
	send(t, line, request(1, "ping", "{}"))
	h := <-seen
	if got := []string{h.Get("Extra"), h.Get("Content-Type"), h.Get("Authorization")}; !cmp.Equal(got, []string{"yes", "application/json", "Bearer x"}) {
		t.Errorf("headers %s", got)
	}
	answers <- func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "who?", http.StatusNotFound) }
	refusal := (*transport.StatusError)(nil)
	if err := line.Send(t.Context(), request(2, "ping", "{}")); !errors.As(err, &refusal) || refusal.Status != 404 || string(refusal.Body) != "who?\n" {
		t.Errorf("error %v", err)
	}
	<-seen
	answers <- func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://example.com/", http.StatusTemporaryRedirect)
	}
	if err := line.Send(t.Context(), request(3, "ping", "{}")); !errors.As(err, &refusal) || refusal.Status != 307 {
		t.Errorf("BEAR-6: a redirect to another origin: %v", err)
	}
	<-seen
	// A server that hangs is waited for as long as the sender wants, or the line
	// lives.
	for range 2 {
		answers <- func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	}
	ctx, cancel := context.WithCancel(t.Context())
	sent := make(chan error, 1)
	go func() { sent <- line.Send(ctx, request(4, "ping", "{}")) }()
	<-seen
	cancel()
	if err := <-sent; !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	go func() { sent <- line.Send(context.Background(), request(5, "ping", "{}")) }()
	<-seen
	hangUp(t, line)
	if err := <-sent; !errors.Is(err, transport.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

func TestDialGivesUpWithItsContext(t *testing.T) {
	for name, stream := range map[string]http.HandlerFunc{
		"before the header": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"before the event":  events(": hello\n\n…"),
		"in the event":      events("event: endpoint\ndata: /x…"),
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			asked := make(chan struct{})
			url := on(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				close(asked)
				stream(w, r)
			}))
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-asked
				cancel()
			}()
			if _, err := sse.Dial(ctx, url, sse.LineOptions{}); !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestALineOutlivesTheContextOfDial(t *testing.T) {
	_, web := loopback(t, sse.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	line, err := sse.Dial(ctx, web.URL, sse.LineOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer hangUp(t, line)
	cancel()
	send(t, line, request(1, "initialize", `{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"c","version":"1"}}`))
	await(t, line, "serverInfo")
}

func TestCloseEndsAReceive(t *testing.T) {
	line := dial(t, on(t, &script{events("event: endpoint\ndata: /\n\n…"), nil}), sse.LineOptions{})
	received := make(chan error, 1)
	go func() {
		_, err := line.Receive()
		received <- err
	}()
	hangUpLater := make(chan error, 2)
	for range 2 {
		go func() { hangUpLater <- line.Close(context.Background()) }()
	}
	for range 2 {
		if err := <-hangUpLater; err != nil {
			t.Error(err)
		}
	}
	if err := <-received; !errors.Is(err, transport.ErrClosed) {
		t.Errorf("error %v", err)
	}
}
