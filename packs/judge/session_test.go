package judge_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"mcpworks/mcp/server"
	"mcpworks/mcp/transport"
	"mcpworks/packs/judge"
)

// A failer is a test, or one round of a property.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// A reply is one message of the server.
type reply struct {
	ID     json.RawMessage
	Result *struct {
		Content []struct{ Type, Text string }
		IsError bool

		// Of other methods than tools/call.
		ServerInfo   struct{ Name, Version string }
		Capabilities map[string]json.RawMessage
		Tools        []json.RawMessage
	}
	Error *struct {
		Code    int
		Message string
	}
}

// text returns the text of a tool's answer, whatever its kind.
func (r reply) text() string {
	if r.Error != nil {
		return r.Error.Message
	}
	return r.Result.Content[0].Text
}

// kind names the three ways to answer a call (section 9).
func (r reply) kind() string {
	switch {
	case r.Error != nil:
		return fmt.Sprintf("error %d", r.Error.Code)
	case r.Result.IsError:
		return "failed result"
	}
	return "result"
}

// A session speaks JSON-RPC lines with a server over the pair in memory.
type session struct {
	conn transport.Conn
	sent int
}

// open serves srv to a new client that has done the handshake.
func open(t testing.TB, srv *server.Server) *session {
	t.Helper()
	s := &session{}
	s.connect(t, srv)
	if r := s.ask(t, "initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"0"}}`); r.Error != nil {
		t.Fatalf("initialize: %+v", r.Error)
	}
	s.send(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return s
}

func (s *session) connect(t testing.TB, srv *server.Server) {
	near, far := transport.Pair()
	s.conn = near
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ctx, far) }()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Errorf("serving ended with %v", err)
		}
		near.Close(context.Background())
	})
}

func (s *session) send(t failer, line string) {
	t.Helper()
	if err := s.conn.Write(context.Background(), []byte(line)); err != nil {
		t.Fatalf("send: %v", err)
	}
}

// receive waits for the next message.
func (s *session) receive(t failer) reply {
	t.Helper()
	line, err := s.conn.Read()
	if err != nil {
		t.Fatalf("receive: %v", err)
	}
	var r reply
	if err := json.Unmarshal(line, &r); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	return r
}

// ask sends a request and waits for its answer, when no other is in flight.
func (s *session) ask(t failer, method, params string) reply {
	t.Helper()
	s.sent++
	s.send(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, s.sent, method, params))
	r := s.receive(t)
	if string(r.ID) != fmt.Sprint(s.sent) {
		t.Fatalf("answer to request %s, want %d", r.ID, s.sent)
	}
	return r
}

// call asks a tool. Its arguments are JSON text; without any, the request has
// no such member.
func (s *session) call(t failer, tool, arguments string) reply {
	t.Helper()
	r := s.ask(t, "tools/call", callParams(tool, arguments))
	switch {
	case (r.Result == nil) == (r.Error == nil):
		t.Fatalf("an answer needs a result or an error")
	case r.Result != nil && (len(r.Result.Content) != 1 || r.Result.Content[0].Type != "text"):
		t.Fatalf("the result is not one text: %+v", r.Result.Content)
	}
	return r
}

func callParams(tool, arguments string) string {
	name, _ := json.Marshal(tool)
	if arguments == "" {
		return fmt.Sprintf(`{"name":%s}`, name)
	}
	return fmt.Sprintf(`{"name":%s,"arguments":%s}`, name, arguments)
}

// evening is the time of tests that do not choose their own.
var evening = time.Date(2026, 3, 5, 20, 30, 0, 0, time.UTC)

func newServer(t testing.TB, cfg judge.Config) *server.Server {
	t.Helper()
	if cfg.Now == nil {
		cfg.Now = func() time.Time { return evening }
	}
	srv, err := judge.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return srv
}

// against opens a session with a server whose backend is h.
func against(t testing.TB, h http.HandlerFunc, edit ...func(*judge.Config)) *session {
	t.Helper()
	backend := httptest.NewServer(h)
	t.Cleanup(backend.Close)
	cfg := judge.Config{BaseURL: backend.URL}
	for _, e := range edit {
		e(&cfg)
	}
	return open(t, newServer(t, cfg))
}
