package streamable_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/streamable"
)

// A talk is a line in use: all that comes in is read at once.
type talk struct {
	transport.Line
	t    *testing.T
	rev  *mcp.Revision
	last int         // id of a request
	in   chan string // frames, in the order in which they came
	over chan error  // the end of the reading
}

// newTalk opens a line and closes it at the end of the test.
func newTalk(t *testing.T, url string, rev *mcp.Revision, opts streamable.LineOptions) *talk {
	t.Helper()
	line, err := streamable.Dial(url, opts)
	if err != nil {
		t.Fatal(err)
	}
	return talkOver(t, line, rev)
}

func talkOver(t *testing.T, line transport.Line, rev *mcp.Revision) *talk {
	k := &talk{Line: line, t: t, rev: rev, in: make(chan string, 10_000), over: make(chan error, 1)}
	go func() {
		for {
			frame, err := line.Receive()
			if err != nil {
				k.over <- err
				return
			}
			k.in <- string(frame)
		}
	}()
	t.Cleanup(func() { k.hangUp() })
	return k
}

// hangUp closes the line, unless it was before.
func (k *talk) hangUp() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := k.Close(ctx); err != nil && !errors.As(err, new(*transport.StatusError)) && !errors.Is(err, transport.ErrLost) {
		k.t.Logf("close: %v", err)
	}
	select {
	case err := <-k.over:
		if !errors.Is(err, transport.ErrClosed) {
			k.t.Errorf("the reading ended with %v", err)
		}
		k.over <- err
	case <-ctx.Done():
		k.t.Error("Receive does not return after Close")
	}
}

// request makes a request in the talk's revision; params begins with a comma or
// is empty.
func (k *talk) request(method, params string) transport.Outgoing {
	k.last++
	meta := `"progressToken":"t"`
	if k.rev.Modern {
		meta += `,"io.modelcontextprotocol/protocolVersion":"` + k.rev.Version +
			`","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},"io.modelcontextprotocol/logLevel":"warning"`
	}
	out := transport.Outgoing{ID: jsonrpc.IntID(int64(k.last)), Method: method}
	out.Frame = fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"_meta":{%s}%s}}`, k.last, method, meta, params)
	return out
}

func (k *talk) tool(name, arguments string) transport.Outgoing {
	out := k.request(mcp.MethodCallTool, fmt.Sprintf(`,"name":%q,"arguments":%s`, name, arguments))
	out.Name = name
	return out
}

func (k *talk) notification(method string) transport.Outgoing {
	return transport.Outgoing{Method: method, Frame: jsonrpc.AppendCall(nil, jsonrpc.ID{}, method, nil)}
}

// send sends a message, or fails the test.
func (k *talk) send(out transport.Outgoing) {
	k.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := k.Send(ctx, out); err != nil {
		k.t.Fatalf("sending %s: %v", out.Frame, err)
	}
}

// ask sends a request and returns its answer and what came before it.
func (k *talk) ask(out transport.Outgoing) (answer string, before []string) {
	k.t.Helper()
	k.send(out)
	return k.answerTo(out)
}

func (k *talk) answerTo(out transport.Outgoing) (answer string, before []string) {
	k.t.Helper()
	for {
		frame := k.next()
		m, err := jsonrpc.Parse([]byte(frame))
		if err == nil && m.IsResponse() && m.ID == out.ID {
			return frame, before
		}
		before = append(before, frame)
	}
}

func (k *talk) next() string {
	k.t.Helper()
	select {
	case frame := <-k.in:
		return frame
	case <-time.After(patience):
		k.t.Fatal("nothing more came")
		return ""
	}
}

// await reads until a frame has a text.
func (k *talk) await(text string) string {
	k.t.Helper()
	for {
		if frame := k.next(); strings.Contains(frame, text) {
			return frame
		}
	}
}

// open does what the revision begins with.
func (k *talk) open() {
	k.t.Helper()
	if k.rev.Modern {
		answer, _ := k.ask(k.request(mcp.MethodDiscover, ""))
		if !strings.Contains(answer, k.rev.Version) {
			k.t.Fatalf("discover: %s", answer)
		}
		k.Assume(k.rev)
		return
	}
	answer, _ := k.ask(k.initialize())
	if version, _ := rawjson.String(rawjson.Member(rawjson.Member([]byte(answer), "result"), "protocolVersion")); version != k.rev.Version {
		k.t.Fatalf("initialize: %s", answer)
	}
	k.Assume(k.rev)
	k.send(k.notification(mcp.NotifyInitialized))
}

func (k *talk) initialize() transport.Outgoing {
	return k.request(mcp.MethodInitialize, `,"protocolVersion":"`+k.rev.Version+`","capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}`)
}

// A web is a handler on a network of pipes, for tests inside synctest.Test.
type web struct {
	client *http.Client
}

func newWeb(t *testing.T, handler http.Handler) *web {
	m := &memory{t: t, conns: make(chan net.Conn), closed: make(chan struct{})}
	m.web = &http.Server{Handler: handler}
	served := make(chan error, 1)
	go func() { served <- m.web.Serve(m) }()
	pipes := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return m.dial(), nil }}
	t.Cleanup(func() {
		pipes.CloseIdleConnections()
		_ = m.web.Close()
		<-served
	})
	return &web{client: &http.Client{Transport: pipes}}
}

func (w *web) talk(t *testing.T, rev *mcp.Revision, opts streamable.LineOptions) *talk {
	opts.Client = w.client
	return newTalk(t, "http://127.0.0.1/", rev, opts)
}

// A script is a server that answers initialize and leaves the rest to a test.
// What is nil is refused with 405.
type script struct {
	post, get, del http.HandlerFunc

	mu   sync.Mutex
	seen []string // methods of HTTP, with the id of the last event
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	s.mu.Lock()
	s.seen = append(s.seen, strings.TrimSpace(r.Method+" "+r.Header.Get("Last-Event-Id")))
	s.mu.Unlock()
	m, _ := jsonrpc.Parse(body)
	switch {
	case m.Method == mcp.MethodInitialize && r.Header.Get("Mcp-Session-Id") == "":
		version, _ := rawjson.String(rawjson.Member(m.Params, "protocolVersion"))
		w.Header().Set("Mcp-Session-Id", "the-session")
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q,"capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`, m.ID, version)
		return
	case m.Method == mcp.NotifyInitialized:
		w.WriteHeader(http.StatusAccepted)
		return
	}
	handlers := map[string]http.HandlerFunc{http.MethodPost: s.post, http.MethodGet: s.get, http.MethodDelete: s.del}
	if handler := handlers[r.Method]; handler != nil {
		handler(w, r)
		return
	}
	w.WriteHeader(http.StatusMethodNotAllowed)
}

// requests lists what was asked of the script, but for the handshake.
func (s *script) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.seen[min(2, len(s.seen)):]...)
}

// idOf reads the id of a request.
func idOf(r *http.Request) string {
	body, _ := io.ReadAll(r.Body)
	m, _ := jsonrpc.Parse(body)
	return m.ID.String()
}

func startStream(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	flush(w)
}

func flush(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() }

func write(w io.Writer, format string, args ...any) {
	_, _ = fmt.Fprintf(w, format, args...)
	if w, ok := w.(http.ResponseWriter); ok {
		flush(w)
	}
}

// pause waits in a handler, as long as there is a client.
func pause(r *http.Request, d time.Duration) {
	select {
	case <-time.After(d):
	case <-r.Context().Done():
	}
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
