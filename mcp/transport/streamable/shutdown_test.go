package streamable_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/transport/streamable"
)

func TestSUB6AStalledListenerDoesNotHoldUpTheShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(t, options(t, streamable.Options{StallTimeout: time.Minute, KeepAlive: time.Hour}))
		p := m.peer(mcp.V20260728)
		for i := range 5 {
			conn := m.dial()
			defer conn.Close()
			writeRequest(t, conn, p, listenTo(i))
			head := make([]byte, 4096)
			for !strings.Contains(string(head), "acknowledged") { // but nothing more
				n, err := conn.Read(head)
				if err != nil {
					t.Fatal(err)
				}
				head = append(head[:n:n], make([]byte, 4096)...)[:4096]
			}
			synctest.Wait()
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		began := time.Now()
		m.f.srv.EndSubscriptions(ctx)
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("the shutdown took %v, though its context ended after a second", took)
		}
	})
}

func TestHTTP14StreamsInFlightAreNotForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(t, options(t, streamable.Options{}))
		p := m.peer(mcp.V20251125)
		p.initialize()
		var last []string // the id of each first event
		for i := range 12 {
			r := p.send(http.MethodPost, p.call(i, "later", fmt.Sprintf(`{"text":"%d"}`, i)))
			ev, err := readEvent(r.lines)
			if err != nil {
				t.Fatal(err)
			}
			last = append(last, ev.id)
			r.rest()
		}
		for range 12 {
			m.f.hold <- struct{}{}
		}
		synctest.Wait()
		for i, id := range last {
			r := p.send(http.MethodGet, "", "Last-Event-ID", id)
			synctest.Wait()
			time.AfterFunc(time.Minute, r.hangUp)
			if data, _ := r.messages(2); len(data) != 2 || !strings.Contains(data[1], fmt.Sprintf(`"late %d"`, i)) {
				t.Errorf("the answer of call %d is lost: %q", i, data)
			}
			r.hangUp()
		}
	})
}

func TestCAN3HangingUpWithoutSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(t, options(t, streamable.Options{Stateless: true}))
		p := m.peer(mcp.V20251125)
		conn := m.dial()
		writeRequest(t, conn, p, p.call(1, "hold", "{}"))
		go func() { _, _ = io.Copy(io.Discard, conn) }()
		<-m.f.events
		synctest.Wait()
		_ = conn.Close()
		synctest.Wait()
		m.f.hold <- struct{}{}
		if got := <-m.f.events; got != "released" {
			t.Errorf("the tool was %s: a dropped connection is no cancellation", got)
		}
	})
}

// An attached client cancels its calls by hanging up, with and without polling.
func TestAttachedClientsCancelByHangingUp(t *testing.T) {
	for _, rev := range []*mcp.Revision{mcp.V20250326, mcp.V20251125} {
		synctest.Test(t, func(t *testing.T) {
			m := newMemory(t, options(t, streamable.Options{Attached: true}))
			p := m.peer(rev)
			p.initialize()
			conn := m.dial()
			writeRequest(t, conn, p, p.call(1, "hold", "{}"))
			go func() { _, _ = io.Copy(io.Discard, conn) }()
			<-m.f.events
			synctest.Wait()
			_ = conn.Close()
			if got := <-m.f.events; got != "cancelled" {
				t.Errorf("%s: the tool was %s", rev.Version, got)
			}
		})
	}
}

// TestMH8AnEndlessInteger does not measure time: it fails by the limit of the
// whole run.

func TestMH8AnEndlessInteger(t *testing.T) {
	_, web := loopback(t, options(t, streamable.Options{}))
	p := newPeer(t, web, mcp.V20260728)
	r := p.send(http.MethodPost, p.call(1, "region", `{"level":`+strings.Repeat("9", 4_000_000)+`}`), "Mcp-Param-Level", "1")
	r.wantStatus(t, http.StatusBadRequest)
}

func TestHTTP11OnePrincipalCannotTakeAllSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(t, options(t, streamable.Options{MaxSessions: 100}))
		mallory := m.peer(mcp.V20251125)
		mallory.who = "mallory"
		for range 100 {
			mallory.tryInitialize()
		}
		ann := m.peer(mcp.V20251125)
		ann.who = "ann"
		if r := ann.tryInitialize(); r.StatusCode != http.StatusOK {
			t.Errorf("a second principal: %s", r.Status)
		}
	})
}

func TestHTTP14OneOfSeveralStreamsCanBeResumed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(t, options(t, streamable.Options{}))
		p := m.peer(mcp.V20251125)
		p.initialize()
		two, one := p.send(http.MethodGet, ""), p.send(http.MethodGet, "")
		defer two.hangUp()
		for _, list := range []string{"tools", "prompts"} {
			if err := m.f.act("change", list); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
		}
		_, ids := one.messages(1) // and the second is lost on its way
		one.hangUp()
		synctest.Wait()
		again := p.send(http.MethodGet, "", "Last-Event-ID", ids[0])
		defer again.hangUp()
		if data, _ := again.messages(1); len(data) != 1 || !strings.Contains(data[0], "prompts") {
			t.Errorf("resumed: %q", data)
		}
	})
}

func TestHTTP17AStalledReaderOfABatchIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(t, options(t, streamable.Options{StallTimeout: 10 * time.Second}))
		p := m.peer(mcp.V20250326)
		p.initialize()
		conn := m.dial() // and never read from
		defer conn.Close()
		writeRequest(t, conn, p, "["+p.call(1, "big", `{"size":1000000}`)+"]")
		time.Sleep(time.Hour)
		synctest.Wait()
		if _, err := conn.Write([]byte("x")); err == nil {
			t.Error("after an hour the connection is still there")
		}
	})
}

// The rest of a body that is too long is not waited for.
func TestHTTP17TheRestOfALongBodyIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(t, options(t, streamable.Options{MaxMessage: 1000, StallTimeout: 10 * time.Second}))
		conn := m.dial()
		defer conn.Close()
		head := "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAccept: */*\r\nTransfer-Encoding: chunked\r\n\r\n"
		if _, err := io.WriteString(conn, head+"7d0\r\n"+strings.Repeat(" ", 2000)); err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(conn) // until the server hangs up
		if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 413 ") {
			t.Errorf("%q, %v", answer, err)
		}
	})
}
