package rawhttp

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func dial(t *testing.T, address string) *Conn {
	t.Helper()
	c, err := Dial(address, time.Now().Add(10*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestAnswersOfARealServer(t *testing.T) {
	long := strings.Repeat("x", 100<<10)
	bodies := map[string]func(w http.ResponseWriter){
		"plain": func(w http.ResponseWriter) { io.WriteString(w, "short") },
		"long":  func(w http.ResponseWriter) { io.WriteString(w, long) }, // chunked
		"event": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, ": hello\n\nid: 1\ndata: \n\n")
			w.(http.Flusher).Flush()
			io.WriteString(w, "event: message\ndata: "+long+"\n\n")
		},
		"nothing": func(w http.ResponseWriter) { w.WriteHeader(http.StatusAccepted) },
	}
	want := map[string]string{"plain": "short", "long": long, "event": long}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		message, _ := io.ReadAll(r.Body)
		w.Header().Set("Mcp-Session-Id", r.Header.Get("X-Given"))
		bodies[string(message)](w)
	}))
	defer server.Close()
	c := dial(t, server.Listener.Addr().String())
	for _, name := range []string{"plain", "event", "long", "nothing", "plain"} {
		r, err := c.Do([]byte(Request("localhost", name, Header{"X-Given", "of " + name})))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if status := map[bool]int{true: 202, false: 200}[name == "nothing"]; r.Status != status || string(r.Session) != "of "+name {
			t.Errorf("%s: status %d, session %q", name, r.Status, r.Session)
		}
		if string(r.Message) != want[name] {
			t.Errorf("%s: message %.40q of %d bytes", name, r.Message, len(r.Message))
		}
	}
}

func TestBadAnswersAreErrors(t *testing.T) {
	bad := map[string]string{
		"other protocol": "SSH-2.0-server\r\n\r\n",
		"no length":      "HTTP/1.1 200 OK\r\n\r\nhello",
		"odd length":     "HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\nhello",
		"too short":      "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello",
		"too long":       "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhello",
		"odd chunk":      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhello\r\n0\r\n\r\n",
		"hangs up":       "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}",
		"two events":     "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 24\r\n\r\ndata: {}\n\ndata: []\n\n    ",
	}
	for name, text := range bad {
		client, server := net.Pipe()
		c := newConn(client)
		go func() {
			buf := make([]byte, 1<<10)
			_, _ = server.Read(buf)
			_, _ = io.WriteString(server, text)
			server.Close()
		}()
		if r, err := c.Do([]byte(Request("localhost", "{}"))); err == nil {
			t.Errorf("%s was accepted: %+v", name, r)
		}
		client.Close()
	}
}

func TestCallsDoNotAllocate(t *testing.T) {
	answer := []byte("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\na\r\ndata: {}\n\n\r\n0\r\n\r\n")
	c := newConn(&script{answer: answer})
	request := []byte(Request("localhost", "{}"))
	allocs := testing.AllocsPerRun(100, func() {
		if r, err := c.Do(request); err != nil || !bytes.Equal(r.Message, []byte("{}")) {
			panic(fmt.Sprint(r, err))
		}
	})
	if allocs > 0 {
		t.Errorf("%g allocations per call", allocs)
	}
}

// A script answers every request with the same bytes.
type script struct {
	net.Conn
	answer []byte
}

func (s *script) Write(b []byte) (int, error) { return len(b), nil }
func (s *script) Read(b []byte) (int, error)  { return copy(b, s.answer), nil }
