package streamable_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"mcpworks/mcp"
	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/streamable"
)

// In these tests, time passes only when everything waits, and each ends only
// when all goroutines have.

// within fails the test unless it took about so long: the wait, and a quarter
// more by chance.
func within(t *testing.T, what string, took, want time.Duration) {
	t.Helper()
	if took < want || took > want+want/4+time.Millisecond {
		t.Errorf("%s took %v, want %v and up to a quarter more", what, took, want)
	}
}

func TestHTTP15AStreamIsResumedAfterItsRetry(t *testing.T) {
	for _, rev := range []*mcp.Revision{mcp.V20251125, mcp.V20250618, mcp.V20250326} {
		synctest.Test(t, func(t *testing.T) {
			s := &script{}
			var id string
			s.post = func(w http.ResponseWriter, r *http.Request) {
				id = idOf(r)
				startStream(w)
				write(w, "id: a-0\ndata:\n\nretry: 3000\n\nid: a-1\ndata: {\"method\":\"one\"}\n\nid: a-2\ndata: {\"meth")
			}
			var asked time.Time
			s.get = func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Last-Event-Id") == "" {
					w.WriteHeader(http.StatusMethodNotAllowed) // no news
					return
				}
				asked = time.Now()
				startStream(w)
				write(w, "id: a-2\ndata: {\"method\":\"two\"}\n\nid: a-3\ndata: %s\n\n", strings.ReplaceAll(good, "$id", id))
			}
			k := newWeb(t, s).talk(t, rev, streamable.LineOptions{})
			k.open()
			synctest.Wait()
			began := time.Now()
			_, before := k.ask(k.tool("x", "{}"))
			within(t, "coming back", asked.Sub(began), 3*time.Second)
			if diff := cmp.Diff([]string{`{"method":"one"}`, `{"method":"two"}`}, before); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			k.hangUp()
			if diff := cmp.Diff([]string{"GET", "POST", "GET a-1", "DELETE"}, s.requests()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestMH11AModernStreamIsNotResumed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{post: answer(200, eventType, "id: 1\nretry: 1\ndata: {}\n\n")}
		k := newWeb(t, s).talk(t, mcp.V20260728, streamable.LineOptions{})
		began := time.Now()
		if err := k.Send(t.Context(), k.tool("x", "{}")); !errors.Is(err, transport.ErrLost) || time.Since(began) > 0 {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
		k.hangUp()
		if len(s.seen) != 1 {
			t.Errorf("MH-1: asked %s", s.seen)
		}
	})
}

func TestComingBackIsBounded(t *testing.T) {
	for name, test := range map[string]struct {
		post, get http.HandlerFunc
		tries     int32 // of coming back
		took      time.Duration
	}{
		"nothing to come back to": {answer(200, eventType, "data: {}\n\n"), nil, 0, 0},
		"an id no header carries": {answer(200, eventType, "id: \x01\ndata: {}\n\n"), nil, 0, 0},
		"an id taken back":        {answer(200, eventType, "id: 1\ndata: {}\n\nid\ndata: {}\n\n"), nil, 0, 0},
		"no way back":             {answer(200, eventType, "id: 1\ndata: {}\n\n"), nil, 1, time.Second},
		"unknown event":           {answer(200, eventType, "id: 1\ndata: {}\n\n"), answer(404, "", ""), 1, time.Second},
		"a page":                  {answer(200, eventType, "id: 1\ndata: {}\n\n"), answer(200, "text/html", ""), 1, time.Second},
		"server's flaw":           {answer(200, eventType, "id: 1\ndata: {}\n\n"), answer(500, "", ""), 6, 61 * time.Second},
		"with its own pace":       {answer(200, eventType, "id: 1\nretry: 10\ndata: {}\n\n"), answer(502, "", ""), 6, 6300 * time.Millisecond},
		"with a slow pace":        {answer(200, eventType, "id: 1\nretry: 60000\ndata: {}\n\n"), answer(503, "", ""), 6, 6 * time.Minute},
		"too many streams":        {answer(200, eventType, "id: 1\ndata: {}\n\n"), answer(409, "", ""), 6, 61 * time.Second},
		"busy":                    {answer(200, eventType, "id: 1\ndata: {}\n\n"), answer(429, "", "", "Retry-After", "100"), 6, 501 * time.Second},
		"nothing new":             {answer(200, eventType, "id: 1\ndata: {}\n\n"), answer(200, eventType, ": alive\n\n"), 6, 61 * time.Second},
		"broken off":              {answer(200, eventType, "id: 1\ndata: {}\n\n"), cutOff(eventType, "data"), 6, 61 * time.Second},
		"an answer too long":      {answer(200, eventType, "id: 1\ndata: "+strings.Repeat("x", 5000)+"\n\n"), nil, 0, 0},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var tries atomic.Int32
				s := &script{post: test.post}
				s.get = func(w http.ResponseWriter, r *http.Request) {
					resumes := r.Header.Get("Last-Event-Id") != ""
					if resumes {
						tries.Add(1)
					}
					if !resumes || test.get == nil {
						w.WriteHeader(http.StatusMethodNotAllowed)
						return
					}
					test.get(w, r)
				}
				k := newWeb(t, s).talk(t, mcp.V20251125, streamable.LineOptions{MaxMessage: 4000})
				k.open()
				synctest.Wait()
				began := time.Now()
				if err := k.Send(t.Context(), k.tool("x", "{}")); !errors.Is(err, transport.ErrLost) || errors.Is(err, transport.ErrSessionGone) {
					t.Errorf("error %v", err)
				}
				within(t, "giving up", time.Since(began), test.took)
				if n := tries.Load(); n != test.tries {
					t.Errorf("came back %d times, want %d", n, test.tries)
				}
			})
		})
	}
}

func TestAFloodOfRetriesIsNotFollowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var number atomic.Int32
		flood := func(w http.ResponseWriter, _ *http.Request) {
			startStream(w)
			write(w, "id: %d\nretry: 0\ndata: {}\n\n", number.Add(1))
		}
		s := &script{post: flood, get: flood}
		k := newWeb(t, s).talk(t, mcp.V20251125, streamable.LineOptions{})
		k.open()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := k.Send(ctx, k.tool("x", "{}")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		if n := number.Load(); n > 1300 { // by the request, and as many by the news
			t.Errorf("%d requests in a minute", n)
		}
	})
}

func TestNewsAreReadAgainAfterTheyBreakOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var times []time.Time
		s := &script{}
		s.get = func(w http.ResponseWriter, r *http.Request) {
			times = append(times, time.Now())
			startStream(w)
			switch len(times) {
			case 1:
				write(w, "id: 1\ndata: {\"method\":\"one\"}\n\n")
			case 2:
				write(w, "retry: 200\nid: 2\ndata: {\"method\":\"two\"}\n\n")
			default:
				write(w, "data: {\"method\":\"three\"}\n\n")
				<-r.Context().Done()
			}
		}
		k := newWeb(t, s).talk(t, mcp.V20251125, streamable.LineOptions{})
		k.open()
		for _, method := range []string{"one", "two", "three"} {
			if frame := k.next(); !strings.Contains(frame, method) {
				t.Errorf("received %s, want %s", frame, method)
			}
		}
		k.hangUp()
		within(t, "the first pause", times[1].Sub(times[0]), time.Second)
		within(t, "the second pause", times[2].Sub(times[1]), 200*time.Millisecond)
		if diff := cmp.Diff([]string{"GET", "GET 1", "GET 2", "DELETE"}, s.requests()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

func TestAServerWithoutNewsIsLeftAlone(t *testing.T) {
	for name, get := range map[string]http.HandlerFunc{
		"405":          nil,
		"404":          answer(404, "text/html", "Cannot GET /"),
		"400":          answer(400, "", ""),
		"a page":       answer(200, "text/html", "<html>"),
		"501":          answer(501, "", ""),
		"a redirect":   answer(302, "", "", "Location", "http://example.com/"),
		"many streams": answer(409, "", ""),
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &script{get: get, post: answer(200, jsonType, good)}
			k := newWeb(t, s).talk(t, mcp.V20251125, streamable.LineOptions{})
			k.open()
			time.Sleep(time.Hour)
			k.ask(k.tool("x", "{}"))
			time.Sleep(time.Hour)
			k.ask(k.tool("x", "{}"))
			if diff := cmp.Diff([]string{"GET", "POST", "POST"}, s.requests()); diff != "" {
				t.Errorf("%s: -want +got:\n%s", name, diff)
			}
		})
	}
}

func TestNewsAreGivenUpAndTakenUpAgain(t *testing.T) {
	for status, tries := range map[int]int{http.StatusServiceUnavailable: 7, http.StatusUnauthorized: 1} {
		synctest.Test(t, func(t *testing.T) {
			var up atomic.Bool
			s := &script{post: answer(200, jsonType, good)}
			s.get = func(w http.ResponseWriter, r *http.Request) {
				if !up.Load() {
					w.WriteHeader(status)
					return
				}
				startStream(w)
				write(w, "data: {\"method\":\"news\"}\n\n")
				<-r.Context().Done()
			}
			k := newWeb(t, s).talk(t, mcp.V20251125, streamable.LineOptions{})
			k.open()
			time.Sleep(time.Hour)
			if n := len(s.requests()); n != tries {
				t.Errorf("status %d: %d tries, want %d", status, n, tries)
			}
			up.Store(true)
			if _, before := k.ask(k.tool("x", "{}")); len(before) == 0 { // the news may be faster than the answer
				k.await("news")
			}
		})
	}
}

// The stream of an answer to initialize, too, is gone on with, in the session
// that it opened.
func TestInitializeIsResumedInItsSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handler := func(w http.ResponseWriter, r *http.Request) {
			startStream := func() {
				w.Header().Set("Mcp-Session-Id", "s")
				startStream(w)
			}
			switch {
			case r.Method == http.MethodPost:
				startStream()
				write(w, "id: 1\ndata:\n\n")
			case r.Method == http.MethodGet && r.Header.Get("Mcp-Session-Id") == "s":
				startStream()
				write(w, "data: %s\n\n", strings.ReplaceAll(good, "$id", "1"))
			default:
				w.WriteHeader(http.StatusBadRequest)
			}
		}
		k := newWeb(t, http.HandlerFunc(handler)).talk(t, mcp.V20251125, streamable.LineOptions{})
		k.ask(k.initialize())
	})
}

// A stream that proxies cut every minute is no failure.
func TestQuietNewsAreReadOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{get: func(w http.ResponseWriter, r *http.Request) {
			startStream(w)
			pause(r, time.Minute)
		}}
		k := newWeb(t, s).talk(t, mcp.V20251125, streamable.LineOptions{})
		k.open()
		time.Sleep(time.Hour)
		if n := len(s.requests()); n < 57 || n > 60 {
			t.Errorf("%d streams in an hour", n)
		}
	})
}

func TestHTTP10NewsTellThatTheSessionIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opened := false
		s := &script{}
		s.get = func(w http.ResponseWriter, _ *http.Request) {
			if opened {
				w.WriteHeader(http.StatusNotFound)
				return
			}
			opened = true
			startStream(w)
			write(w, "id: 1\ndata: {}\n\n")
		}
		k := newWeb(t, s).talk(t, mcp.V20251125, streamable.LineOptions{})
		k.open()
		time.Sleep(time.Minute)
		if err := k.Send(t.Context(), k.tool("x", "{}")); !errors.Is(err, transport.ErrSessionGone) || !errors.As(err, new(*transport.StatusError)) {
			t.Errorf("error %v", err)
		}
		k.hangUp()
		if diff := cmp.Diff([]string{"GET", "GET 1", "GET"}, s.requests()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

// Close must not wait for a server that hangs, wherever it does.
func TestCloseWithAServerThatHangs(t *testing.T) {
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	drip := func(w http.ResponseWriter, r *http.Request) {
		startStream(w)
		for r.Context().Err() == nil {
			write(w, ":")
			pause(r, time.Second)
		}
	}
	half := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", jsonType)
		write(w, `{"jsonrpc":`)
		<-r.Context().Done()
	}
	refuse := func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		flush(w)
		<-r.Context().Done()
	}
	for name, test := range map[string]struct {
		script *script
		took   time.Duration
	}{
		"before the header": {&script{post: hang, get: hang}, 0},
		"in a stream":       {&script{post: drip, get: drip}, 0},
		"in a body":         {&script{post: half, get: half}, 0},
		"in a refusal":      {&script{post: refuse, get: refuse}, 0},
		"in the end":        {&script{post: hang, del: hang}, 5 * time.Second},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k := newWeb(t, test.script).talk(t, mcp.V20251125, streamable.LineOptions{})
				k.open()
				sent := make(chan error, 2)
				for range 2 {
					call := k.tool("x", "{}")
					go func() { sent <- k.Send(context.Background(), call) }()
				}
				time.Sleep(time.Minute)
				ctx, cancel := context.WithCancel(t.Context())
				gaveUp := make(chan error, 1)
				call := k.tool("x", "{}")
				go func() { gaveUp <- k.Send(ctx, call) }()
				time.Sleep(time.Minute)
				cancel()
				synctest.Wait()
				if err := <-gaveUp; !errors.Is(err, context.Canceled) && !errors.As(err, new(*transport.StatusError)) {
					t.Errorf("a request given up: %v", err)
				}
				began := time.Now()
				if err := k.Close(t.Context()); (err != nil) != (test.took > 0) {
					t.Errorf("close: %v", err)
				}
				if took := time.Since(began); took != test.took {
					t.Errorf("close took %v", took)
				}
				for range 2 {
					if err := <-sent; !errors.Is(err, transport.ErrClosed) && !errors.As(err, new(*transport.StatusError)) {
						t.Errorf("a request of a closed line: %v", err)
					}
				}
			})
		})
	}
}

func TestAStreamMayGoOnBehindItsAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var open atomic.Int32
		s := &script{}
		s.post = func(w http.ResponseWriter, r *http.Request) {
			open.Add(1)
			defer open.Add(-1)
			startStream(w)
			write(w, "data: %s\n\n", strings.ReplaceAll(good, "$id", idOf(r)))
			pause(r, 500*time.Millisecond)
			write(w, "data: {\"method\":\"late\"}\n\n")
			<-r.Context().Done()
		}
		k := newWeb(t, s).talk(t, mcp.V20251125, streamable.LineOptions{})
		k.open()
		ctx, cancel := context.WithCancel(t.Context())
		began := time.Now()
		if err := k.Send(ctx, k.tool("x", "{}")); err != nil || time.Since(began) > 0 {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
		cancel() // which the sender may do at once
		k.next()
		k.await("late")
		time.Sleep(time.Second)
		synctest.Wait()
		if n := open.Load(); n != 0 {
			t.Errorf("%d streams are still open", n)
		}
	})
}

func TestUnreadMessagesHoldTheServerBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var written atomic.Int32
		s := &script{}
		s.post = func(w http.ResponseWriter, r *http.Request) {
			startStream(w)
			for i := range 1000 {
				write(w, "data: {\"method\":\"%d %s\"}\n\n", i, strings.Repeat("x", 1000))
				written.Add(1)
			}
			write(w, "data: %s\n\n", strings.ReplaceAll(good, "$id", idOf(r)))
		}
		web := newWeb(t, s)
		line, err := streamable.Dial("http://127.0.0.1/", streamable.LineOptions{Client: web.client, MaxUnread: 10_000})
		if err != nil {
			t.Fatal(err)
		}
		k := &talk{Line: line, t: t, rev: mcp.V20260728}
		k.Assume(k.rev)
		call := k.tool("x", "{}")
		sent := make(chan error, 1)
		go func() { sent <- k.Send(context.Background(), call) }()
		time.Sleep(time.Hour)
		if n := written.Load(); n > 30 {
			t.Errorf("%d messages were written, though nobody receives", n)
		}
		for i := range 1001 {
			frame, err := line.Receive()
			if want := fmt.Sprintf(`{"method":"%d `, i); err != nil || i < 1000 && !strings.HasPrefix(string(frame), want) {
				t.Fatalf("message %d: %.40s, %v", i, frame, err)
			}
		}
		if err := <-sent; err != nil {
			t.Error(err)
		}
		if err := line.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestOneRequestTooManyWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int32
		release := make(chan struct{})
		s := &script{}
		s.post = func(w http.ResponseWriter, r *http.Request) {
			id := idOf(r)
			if id == "null" {
				w.WriteHeader(http.StatusAccepted)
				return
			}
			most.Store(max(most.Load(), running.Add(1)))
			<-release
			running.Add(-1)
			w.Header().Set("Content-Type", jsonType)
			write(w, "%s", strings.ReplaceAll(good, "$id", id))
		}
		k := newWeb(t, s).talk(t, mcp.V20251125, streamable.LineOptions{MaxStreams: 2})
		k.open()
		sent := make(chan error, 5)
		for range 5 {
			call := k.tool("x", "{}")
			go func() { sent <- k.Send(context.Background(), call) }()
		}
		synctest.Wait()
		if running.Load() != 2 {
			t.Errorf("%d requests are in flight", running.Load())
		}
		k.send(k.notification("notifications/x")) // does not wait
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := k.Send(ctx, k.tool("x", "{}")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a request that waits in vain: %v", err)
		}
		for range 5 {
			release <- struct{}{}
			if err := <-sent; err != nil {
				t.Error(err)
			}
		}
		if most.Load() != 2 {
			t.Errorf("%d requests were in flight", most.Load())
		}
	})
}
