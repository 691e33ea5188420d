package streamable_test

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/transport/streamable"
)

// loopback serves a fixture on a real connection.
func loopback(t *testing.T, o fixtureOptions) (*fixture, *httptest.Server) {
	t.Helper()
	f := newFixture(t, o)
	web := httptest.NewServer(f.handler)
	t.Cleanup(func() {
		f.handler.Close()
		web.Close()
		wantNoGoroutines(t)
	})
	return f, web
}

func newPeer(t *testing.T, web *httptest.Server, rev *mcp.Revision) *peer {
	return &peer{t: t, client: web.Client(), url: web.URL, rev: rev}
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

// byHand connects for requests as text, such as no client sends.
func byHand(t *testing.T, web *httptest.Server) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", web.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

const postHead = "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"

func status(t *testing.T, conn net.Conn) int {
	t.Helper()
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body)
	return response.StatusCode
}

func TestHTTP17Bodies(t *testing.T) {
	const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`
	chunk := func(s string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(s), s) }
	long := strings.Repeat("x", 2000)
	for _, c := range []struct {
		name, text string
		half       bool // the client stops sending in the middle
		want       int
	}{
		{"a good body", fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", postHead, len(initialize), initialize), false, 200},
		{"a good body in chunks", postHead + "Transfer-Encoding: chunked\r\n\r\n" + chunk(initialize[:10]) + chunk(initialize[10:]) + "0\r\n\r\n", false, 200},
		{"too long by its own account", postHead + "Content-Length: 2000\r\n\r\n" + long, false, 413},
		{"too long by its own account, and nothing sent", postHead + "Content-Length: 99999999999\r\n\r\n", false, 413},
		{"too long in chunks", postHead + "Transfer-Encoding: chunked\r\n\r\n" + chunk(long) + "0\r\n\r\n", false, 413},
		{"endless chunks", postHead + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat(chunk(long), 5), true, 413},
		{"shorter than it says", fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", postHead, len(initialize)+10, initialize), true, 400},
		{"nothing of what it says", postHead + "Content-Length: 100\r\n\r\n", true, 400},
		{"longer than it says", fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", postHead, len(initialize)-10, initialize), false, 400},
		{"chunks that break off", postHead + "Transfer-Encoding: chunked\r\n\r\n" + chunk(initialize), true, 400},
		{"chunks that are none", postHead + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", true, 400},
		{"no length at all", postHead + "\r\n", false, 400},
		{"a negative length", postHead + "Content-Length: -1\r\n\r\n", false, 400},
		{"two lengths", postHead + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx", false, 400},
		{"compressed", fmt.Sprintf("%sContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\x08\x00", postHead), false, 400},
		{"not UTF-8", postHead + "Content-Length: 41\r\n\r\n" + `{"jsonrpc":"2.0","id":1,"method":"p` + "\xff\xfe" + `ng"}`, false, 400},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			_, web := loopback(t, options(t, streamable.Options{MaxMessage: 1000}))
			conn := byHand(t, web)
			if _, err := io.WriteString(conn, c.text); err != nil {
				t.Fatal(err)
			}
			if c.half {
				if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
					t.Fatal(err)
				}
			}
			if got := status(t, conn); got != c.want {
				t.Errorf("status %d, want %d", got, c.want)
			}
		})
	}
}

func TestHTTP17ABodyThatNeverComesHoldsNobodyElse(t *testing.T) {
	_, web := loopback(t, options(t, streamable.Options{}))
	var slow []net.Conn
	for range 100 {
		conn := byHand(t, web)
		if _, err := io.WriteString(conn, postHead+"Content-Length: 1000\r\n\r\n{"); err != nil {
			t.Fatal(err)
		}
		slow = append(slow, conn)
	}
	p := newPeer(t, web, mcp.V20251125)
	p.initialize()
	if got := p.ping(); got != http.StatusOK {
		t.Errorf("beside slow bodies: %d", got)
	}
	for _, conn := range slow {
		_ = conn.Close()
	}
}

// TestHalfClosed has a client that says it will send no more, and waits.
func TestHalfClosed(t *testing.T) {
	for _, rev := range []*mcp.Revision{mcp.V20250618, mcp.V20260728} {
		t.Run(rev.Version, func(t *testing.T) {
			f, web := loopback(t, options(t, streamable.Options{}))
			p := newPeer(t, web, rev)
			if !rev.Modern {
				p.initialize()
			}
			conn := byHand(t, web)
			writeRequest(t, conn, p, p.call(1, "hold", "{}"))
			<-f.events
			if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
			if rev.Modern { // the end of what a client sends cannot be told from its end
				if got := <-f.events; got != "cancelled" {
					t.Errorf("the tool was %s", got)
				}
				return
			}
			f.hold <- struct{}{}
			body, err := io.ReadAll(conn)
			if err != nil || !bytes.Contains(body, []byte("released ")) {
				t.Errorf("answer %q, %v", body, err)
			}
		})
	}
}

// aborts is how many clients go away; the gate lets many more do so.
var aborts = flag.Int("aborts", 300, "clients that hang up in TestClientsThatGoAway, per era")

func TestClientsThatGoAway(t *testing.T) {
	for _, rev := range []*mcp.Revision{mcp.V20251125, mcp.V20260728} {
		t.Run(rev.Version, func(t *testing.T) {
			f, web := loopback(t, options(t, streamable.Options{}))
			p := newPeer(t, web, rev)
			if !rev.Modern {
				p.initialize()
			}
			var all sync.WaitGroup
			bodies := []string{
				p.call(0, "echo", `{"text":"x"}`), p.call(0, "hold", "{}"), p.call(0, "stream", `{"count":50,"size":100}`),
				listenTo(0), p.call(0, "big", `{"size":100000}`), "{",
			}
			atOnce := make(chan struct{}, 100)
			for i := range *aborts {
				atOnce <- struct{}{}
				all.Go(func() {
					defer func() { <-atOnce }()
					conn, err := net.Dial("tcp", web.Listener.Addr().String())
					if err != nil {
						t.Error(err)
						return
					}
					defer conn.Close()
					body := strings.Replace(bodies[i%len(bodies)], `"id":0`, fmt.Sprintf(`"id":%d`, i), 1)
					var text bytes.Buffer
					writeRequest(t, &text, p, body)
					switch i % 4 {
					case 0: // in the middle of the head
						_, _ = conn.Write(text.Bytes()[:text.Len()/4])
					case 1: // in the middle of the body
						_, _ = conn.Write(text.Bytes()[:text.Len()-1])
					case 2: // at once
						_, _ = conn.Write(text.Bytes())
					case 3: // in the middle of the answer
						_, _ = conn.Write(text.Bytes())
						_, _ = conn.Read(make([]byte, 10))
					}
				})
			}
			go func() { // legacy calls go on
				for range f.events {
					select {
					case f.hold <- struct{}{}:
					default:
					}
				}
			}()
			all.Wait()
			fresh := newPeer(t, web, mcp.V20251125)
			fresh.initialize()
			if got := fresh.ping(); got != http.StatusOK {
				t.Errorf("afterwards: %d", got)
			}
			if !rev.Modern {
				r := p.send(http.MethodDelete, "")
				r.wantStatus(t, http.StatusNoContent)
			}
			web.CloseClientConnections()
			f.handler.Close()
			web.Close() // waits for the requests at work
			close(f.events)
		})
	}
}

func TestManyRequestsAtOnceInOneSession(t *testing.T) {
	_, web := loopback(t, options(t, streamable.Options{}))
	web.Client().Transport.(*http.Transport).MaxConnsPerHost = 40
	p := newPeer(t, web, mcp.V20250618)
	p.initialize()
	news := p.send(http.MethodGet, "")
	defer news.hangUp()
	var all sync.WaitGroup
	for i := range 400 {
		all.Go(func() {
			want := fmt.Sprintf("text %d", i)
			r := p.send(http.MethodPost, p.call(i, "echo", fmt.Sprintf(`{"text":%q}`, want)))
			if got := r.rest(); !strings.Contains(got, want) || !strings.Contains(got, fmt.Sprintf(`"id":%d,`, i)) {
				t.Errorf("call %d: %s %s", i, r.Status, got)
			}
		})
		if i%20 == 0 {
			all.Go(func() {
				r := p.send(http.MethodPost, p.call(1000+i, "stream", `{"count":3,"size":10}`))
				if got := r.rest(); strings.Count(got, `"result"`) != 1 { // plain JSON when its logs were too many
					t.Errorf("stream %d: %s", i, got)
				}
			})
		}
	}
	all.Wait()
	r := p.send(http.MethodDelete, "")
	r.wantStatus(t, http.StatusNoContent)
}

func TestSessionIDs(t *testing.T) {
	_, web := loopback(t, options(t, streamable.Options{}))
	seen := map[string]bool{}
	for range 200 {
		p := newPeer(t, web, mcp.V20251125)
		p.initialize()
		if seen[p.id] || len(p.id) < 22 { // 128 bits in 64 symbols
			t.Fatalf("HTTP-9: session id %q", p.id)
		}
		seen[p.id] = true
		for _, c := range []byte(p.id) {
			if c < 0x21 || c > 0x7e {
				t.Fatalf("HTTP-9: session id %q is not visible ASCII", p.id)
			}
		}
	}
}

func TestHTTP9SessionsBelongToPrincipals(t *testing.T) {
	_, web := loopback(t, options(t, streamable.Options{}))
	ann := newPeer(t, web, mcp.V20251125)
	ann.who = "ann"
	ann.initialize()
	bob := newPeer(t, web, mcp.V20251125)
	bob.who = "bob"
	bob.id = ann.id
	if got := bob.ping(); got != http.StatusNotFound {
		t.Errorf("another's session: %d, want 404", got)
	}
	bob.send(http.MethodDelete, "").wantStatus(t, http.StatusNotFound)
	if got := ann.ping(); got != http.StatusOK {
		t.Errorf("afterwards: %d", got)
	}
}
