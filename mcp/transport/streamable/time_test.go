package streamable_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/transport/streamable"
)

// In these tests, time passes only when everything waits, and each ends only
// when all goroutines have.

func options(t *testing.T, http streamable.Options) fixtureOptions {
	t.Helper()
	o, err := parseOptions("")
	if err != nil {
		t.Fatal(err)
	}
	o.http = http
	return o
}

func TestHTTP11SessionsExpireWhenTheyAreIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(t, options(t, streamable.Options{IdleTimeout: time.Minute}))
		first, second := m.peer(mcp.V20251125), m.peer(mcp.V20250326)
		first.initialize()
		time.Sleep(30 * time.Second)
		second.initialize()
		time.Sleep(29 * time.Second)
		if status := first.ping(); status != http.StatusOK {
			t.Errorf("after 59 s: %d", status)
		}
		time.Sleep(59 * time.Second)
		if status := first.ping(); status != http.StatusOK {
			t.Errorf("used 59 s ago: %d", status)
		}
		if status := second.ping(); status != http.StatusNotFound {
			t.Errorf("after 88 s: %d, want 404", status)
		}
		time.Sleep(61 * time.Second)
		if status := first.ping(); status != http.StatusNotFound {
			t.Errorf("after 61 s: %d, want 404", status)
		}
		first.initialize() // HTTP-10: start again
		if status := first.ping(); status != http.StatusOK {
			t.Errorf("a new session: %d", status)
		}
	})
}

func TestHTTP11ASessionInUseDoesNotExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(t, options(t, streamable.Options{IdleTimeout: time.Minute, KeepAlive: 20 * time.Second}))
		reader, caller := m.peer(mcp.V20251125), m.peer(mcp.V20251125)
		reader.initialize()
		news := reader.send(http.MethodGet, "")
		go func() { _, _ = io.Copy(io.Discard, news.Body) }()
		caller.initialize()
		call := caller.send(http.MethodPost, caller.call(1, "hold", "{}"))
		go func() { _, _ = io.Copy(io.Discard, call.Body) }()
		time.Sleep(time.Hour)
		if status := reader.ping(); status != http.StatusOK {
			t.Errorf("with a GET stream open: %d", status)
		}
		if status := caller.ping(); status != http.StatusOK {
			t.Errorf("with a call in flight: %d", status)
		}
		news.hangUp()
		m.f.hold <- struct{}{}
		time.Sleep(61 * time.Second)
		for _, p := range []*peer{reader, caller} {
			if status := p.ping(); status != http.StatusNotFound {
				t.Errorf("after the end: %d, want 404", status)
			}
		}
	})
}

func TestHTTP11AbandonedInitializesCostNothingAfterwards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(t, options(t, streamable.Options{IdleTimeout: time.Minute, MaxSessions: 20}))
		p := m.peer(mcp.V20251125)
		for round := range 3 {
			for i := range 20 {
				if r := p.tryInitialize(); r.StatusCode != http.StatusOK {
					t.Fatalf("round %d, session %d: %s", round, i, r.Status)
				}
			}
			r := p.tryInitialize()
			if r.StatusCode != http.StatusServiceUnavailable || r.Header.Get("Retry-After") == "" {
				t.Fatalf("round %d: one session too many: %s, Retry-After %q", round, r.Status, r.Header.Get("Retry-After"))
			}
			time.Sleep(61 * time.Second)
		}
	})
}

func TestMH12KeepAliveCommentsOnQuietStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(t, options(t, streamable.Options{}))
		legacy, modern := m.peer(mcp.V20250618), m.peer(mcp.V20260728)
		legacy.initialize()
		for name, open := range map[string]func() *heard{
			"GET":         func() *heard { return legacy.send(http.MethodGet, "") },
			"legacy POST": func() *heard { return legacy.send(http.MethodPost, legacy.call(1, "hold", "{}")) },
			"modern POST": func() *heard { return modern.send(http.MethodPost, modern.call(1, "hold", "{}")) },
			"listen":      func() *heard { return modern.send(http.MethodPost, listenTo(1)) },
		} {
			r := open()
			last := time.Now()
			for comments := 0; comments < 5; {
				ev, err := readEvent(r.lines)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if !ev.comment {
					last = time.Now()
					continue
				}
				comments++
				if gap := time.Since(last); gap > 30*time.Second {
					t.Errorf("%s: SUB-8: %v without a word", name, gap)
				}
				last = time.Now()
			}
			r.hangUp()
		}
		m.f.hold <- struct{}{}
		synctest.Wait()
	})
}

func listenTo(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},`+
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, id)
}

func TestHTTP17AStalledReaderIsCutOff(t *testing.T) {
	for _, rev := range []*mcp.Revision{mcp.V20251125, mcp.V20260728} {
		t.Run(rev.Version, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newMemory(t, options(t, streamable.Options{StallTimeout: 10 * time.Second}))
				p := m.peer(rev)
				if !rev.Modern {
					p.initialize()
				}
				conn := m.dial() // and never read from
				defer conn.Close()
				began := time.Now()
				writeRequest(t, conn, p, p.call(1, "stream", `{"count":50,"size":20000}`))
				<-m.f.events
				if took := time.Since(began); took > 11*time.Second {
					t.Errorf("the tool was held up for %v", took)
				}
				synctest.Wait()
			})
		})
	}
}

func TestHTTP17AStalledReaderOfGETIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(t, options(t, streamable.Options{StallTimeout: 10 * time.Second, IdleTimeout: time.Minute}))
		p := m.peer(mcp.V20251125)
		p.initialize()
		conn := m.dial()
		defer conn.Close()
		go func() {
			_, _ = fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nMcp-Session-Id: %s\r\n\r\n", p.id)
		}()
		time.Sleep(2 * time.Minute)
		if status := p.ping(); status != http.StatusNotFound { // nobody uses it any more
			t.Errorf("the session of a stalled reader: %d, want 404", status)
		}
	})
}

// writeRequest writes a POST by hand.
func writeRequest(t *testing.T, w io.Writer, p *peer, body string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, "http://127.0.0.1/", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	p.describe(req, body)
	if err := req.Write(w); err != nil {
		t.Fatal(err)
	}
}

func TestCAN3HangingUp(t *testing.T) {
	for _, rev := range mcp.Revisions() {
		for _, stream := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/stream=%v", rev.Version, stream), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					m := newMemory(t, options(t, streamable.Options{}))
					p := m.peer(rev)
					if !rev.Modern {
						p.initialize()
					}
					body := p.call(1, "hold", "{}")
					if !stream {
						body = strings.Replace(body, `"progressToken"`, `"other"`, 1)
					}
					conn := m.dial()
					writeRequest(t, conn, p, body)
					if stream { // the status line
						if _, err := conn.Read(make([]byte, 20)); err != nil {
							t.Fatal(err)
						}
						go func() { _, _ = io.Copy(io.Discard, conn) }()
					}
					<-m.f.events // holding
					synctest.Wait()
					_ = conn.Close()
					synctest.Wait() // the server has noticed
					if rev.Modern {
						select {
						case got := <-m.f.events:
							if got != "cancelled" {
								t.Errorf("the tool was %s", got)
							}
						default:
							t.Error("closing the stream did not cancel the call")
						}
						return
					}
					m.f.hold <- struct{}{}
					if got := <-m.f.events; got != "released" {
						t.Errorf("the tool was %s: a dropped connection is no cancellation", got)
					}
				})
			})
		}
	}
}

func TestHTTP14AnAnswerGivenWhileNobodyListenedIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(t, options(t, streamable.Options{}))
		p := m.peer(mcp.V20251125)
		p.initialize()
		call := p.send(http.MethodPost, p.call(1, "hold", `{"text":"kept"}`))
		_, ids := call.messages(1)
		call.hangUp()
		synctest.Wait()
		m.f.hold <- struct{}{}
		synctest.Wait()
		for range 2 { // reading does not take it away
			data, _ := p.send(http.MethodGet, "", "Last-Event-ID", ids[0]).messages(-1)
			if len(data) != 2 || !strings.Contains(data[0], `"progress":2`) || !strings.Contains(data[1], "released kept") {
				t.Errorf("resumed: %q", data)
			}
		}
	})
}

// TestHTTP14ResumingAgainAndAgain breaks off after each event.
func TestHTTP14ResumingAgainAndAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(t, options(t, streamable.Options{}))
		p := m.peer(mcp.V20251125)
		p.initialize()
		call := p.send(http.MethodPost, p.call(1, "stream", `{"count":40,"size":1}`))
		all, ids := call.messages(1)
		call.hangUp()
		seen := map[string]bool{ids[0]: true}
		for len(all) < 41 {
			r := p.send(http.MethodGet, "", "Last-Event-ID", ids[0])
			var data []string
			data, ids = r.messages(1)
			r.hangUp()
			if len(data) == 0 || seen[ids[0]] {
				t.Fatalf("after %d events: %q %q", len(all), data, ids)
			}
			seen[ids[0]] = true
			all = append(all, data...)
		}
		for i, data := range all[:40] {
			if !strings.Contains(data, fmt.Sprintf(`"data":"%d y"`, i+1)) {
				t.Errorf("event %d is %s", i, data)
			}
		}
		if !strings.Contains(all[40], `"result"`) {
			t.Errorf("the last event is %s", all[40])
		}
	})
}

func TestHTTP14EventStoresAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(t, streamable.Options{})
		started := time.Now()
		o.server.Now = func() time.Time { // each log message a second later, so that none is held back
			started = started.Add(time.Second)
			return started
		}
		m := newMemory(t, o)
		p := m.peer(mcp.V20251125)
		p.initialize()
		call := p.send(http.MethodPost, p.call(1, "stream", `{"count":2000,"size":1000}`))
		_, ids := call.messages(1)
		if rest, _ := call.messages(-1); len(rest) != 2000 {
			t.Fatalf("%d events", len(rest))
		}
		data, _ := p.send(http.MethodGet, "", "Last-Event-ID", ids[0]).messages(-1)
		total := 0
		for _, d := range data {
			total += len(d)
		}
		if len(data) > 1000 || total > 1<<20 || len(data) == 0 {
			t.Errorf("%d events, %d bytes are kept", len(data), total)
		}
		if !strings.Contains(data[len(data)-1], `"result"`) {
			t.Errorf("the last event kept is %s", data[len(data)-1])
		}
	})
}

func TestCloseEndsSessionsAndTheirStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(t, options(t, streamable.Options{}))
		var streams []*heard
		var peers []*peer
		for range 10 {
			p := m.peer(mcp.V20251125)
			p.initialize()
			peers = append(peers, p)
			streams = append(streams, p.send(http.MethodGet, ""), p.send(http.MethodPost, p.call(1, "hold", "{}")))
		}
		m.f.handler.Close()
		for _, s := range streams {
			s.rest() // ends
		}
		for _, p := range peers {
			if status := p.ping(); status != http.StatusNotFound {
				t.Errorf("a session after Close: %d, want 404", status)
			}
		}
		m.f.handler.Close() // once more does no harm
	})
}

func TestSUB6ShutdownWithManySubscriptions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(t, options(t, streamable.Options{}))
		p := m.peer(mcp.V20260728)
		var readers sync.WaitGroup
		for i := range 50 {
			r := p.send(http.MethodPost, listenTo(i))
			readers.Go(func() {
				data, _ := r.messages(-1)
				if len(data) != 3 || !strings.Contains(data[1], "notifications/cancelled") || !strings.Contains(data[2], fmt.Sprintf(`"id":%d,"result"`, i)) {
					t.Errorf("stream %d: %q", i, data)
				}
			})
		}
		synctest.Wait()
		m.f.srv.EndSubscriptions(context.Background())
		readers.Wait()
	})
}

func TestGETStreamLimitIsPerSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(t, options(t, streamable.Options{SessionStreams: 2}))
		p := m.peer(mcp.V20251125)
		p.initialize()
		one, two := p.send(http.MethodGet, ""), p.send(http.MethodGet, "")
		p.send(http.MethodGet, "").wantStatus(t, http.StatusConflict)
		one.hangUp()
		synctest.Wait()
		three := p.send(http.MethodGet, "")
		if three.StatusCode != http.StatusOK {
			t.Errorf("after one left: %s", three.Status)
		}
		// What is said now goes to one of those that are left.
		if err := m.f.act("change", "tools"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		p.send(http.MethodDelete, "").wantStatus(t, http.StatusNoContent)
		a, _ := two.messages(-1)
		b, _ := three.messages(-1)
		if len(a)+len(b) != 1 {
			t.Errorf("HTTP-13: %q and %q", a, b)
		}
	})
}

func TestHTTP17AStalledReaderOfPlainJSONIsCutOff(t *testing.T) {
	for _, rev := range []*mcp.Revision{mcp.V20251125, mcp.V20260728} {
		t.Run(rev.Version, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newMemory(t, options(t, streamable.Options{StallTimeout: 10 * time.Second, IdleTimeout: time.Minute}))
				p := m.peer(rev)
				if !rev.Modern {
					p.initialize()
				}
				conn := m.dial() // and never read from
				defer conn.Close()
				writeRequest(t, conn, p, p.call(1, "big", `{"size":1000000}`))
				time.Sleep(time.Hour)
				synctest.Wait()
				if _, err := conn.Write([]byte("x")); err == nil {
					t.Error("after an hour the connection is still there")
				}
			})
		})
	}
}

func TestHTTP17ABodyThatNeverComesIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(t, options(t, streamable.Options{}))
		conn := m.dial()
		defer conn.Close()
		if _, err := io.WriteString(conn, postHead+"Content-Length: 4000000\r\n\r\n{"); err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = io.Copy(io.Discard, conn) }()
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		if _, err := conn.Write([]byte("x")); err == nil {
			t.Error("after a day the server still waits for the body")
		}
	})
}

func TestKeepAliveMayBeLongerThanTheStallTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(t, options(t, streamable.Options{StallTimeout: 10 * time.Second, KeepAlive: time.Minute}))
		p := m.peer(mcp.V20251125)
		p.initialize()
		news := p.send(http.MethodGet, "")
		time.AfterFunc(time.Hour, news.hangUp)
		for i := range 3 {
			if ev, err := readEvent(news.lines); err != nil || !ev.comment {
				t.Fatalf("comment %d: %+v, %v", i, ev, err)
			}
		}
		news.hangUp()
	})
}
