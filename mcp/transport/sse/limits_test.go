package sse_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcpworks/mcp/transport/sse"
)

func TestSSE2OtherContentTypesAreRefused(t *testing.T) {
	_, web := loopback(t, sse.Options{})
	s := open(t, web.Client(), web.URL, "")
	defer s.hangUp()
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", ""} {
		if got := s.post(initialize, "Content-Type", kind); got.StatusCode != http.StatusUnsupportedMediaType {
			t.Errorf("HTTP-5: Content-Type %q: %d, want 415", kind, got.StatusCode)
		}
	}
}

func TestCAN2AFullSessionCanStillBeCancelledAndAnswered(t *testing.T) {
	f, web := loopback(t, sse.Options{SessionCalls: 1})
	s := open(t, web.Client(), web.URL, "")
	defer s.hangUp()
	s.handshake()
	s.wantStatus(http.StatusAccepted, call(1, "hold", "{}"))
	<-f.events
	s.wantStatus(http.StatusAccepted, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
}

// TestCAN2ACancellationRightAfterItsRequest: a request that was accepted is
// known to the session, whatever its handler has got to.
func TestCAN2ACancellationRightAfterItsRequest(t *testing.T) {
	inMemory(t, sse.Options{SessionCalls: 5000}, func(t *testing.T, f *fixture, _ *memory, client *http.Client) {
		s := open(t, client, "http://x", "")
		s.handshake()
		go func() { _, _ = io.Copy(io.Discard, s.lines) }()
		for id := range 2000 {
			s.wantStatus(http.StatusAccepted, call(id, "hold", "{}"))
			s.wantStatus(http.StatusAccepted, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id))
		}
		synctest.Wait() // nothing moves any more
		held := 0
		for len(f.events) > 0 {
			if <-f.events == "holding" {
				held++
			} else {
				held--
			}
		}
		if held > 0 {
			t.Errorf("%d of 2000 cancellations were lost", held)
		}
		s.hangUp()
	})
}

func TestHTTP17ABodyThatNeverComesIsGivenUp(t *testing.T) {
	inMemory(t, sse.Options{}, func(t *testing.T, _ *fixture, m *memory, client *http.Client) {
		s := open(t, client, "http://x", "")
		go func() { _, _ = io.Copy(io.Discard, s.lines) }()
		conn := m.dial()
		if _, err := io.WriteString(conn, "POST "+s.endpoint+" HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"); err != nil {
			t.Fatal(err)
		}
		got := make(chan int, 1)
		go func() {
			if response, err := http.ReadResponse(bufio.NewReader(conn), nil); err == nil {
				got <- response.StatusCode
			} else {
				got <- 0
			}
		}()
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		select {
		case <-got:
		default:
			t.Error("after a day the server still waits for the body")
		}
		_ = conn.Close()
		s.hangUp()
	})
}

func TestSSE1TheAddressCannotBreakTheEvent(t *testing.T) {
	_, web := loopback(t, sse.Options{})
	response, err := web.Client().Get(web.URL + "/sse%0Adata:%20evil%0A%0Aevent:%20message")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	lines := bufio.NewReader(response.Body)
	event, _ := lines.ReadString('\n')
	data, _ := lines.ReadString('\n')
	blank, _ := lines.ReadString('\n')
	if event != "event: endpoint\n" || !strings.HasPrefix(data, "data: /sse%0A") || blank != "\n" {
		t.Errorf("%q %q %q", event, data, blank)
	}
}
