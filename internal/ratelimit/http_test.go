package ratelimit

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// byHeader takes the principal from a header, as no real server would.
func byHeader(r *http.Request) string { return r.Header.Get("From") }

type reply struct {
	status int
	header http.Header
	body   string
}

func get(t testing.TB, url, from string) reply {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if from != "" {
		r.Header.Set("From", from)
	}
	r.Header.Set("X-Forwarded-For", "203.0.113."+fmt.Sprint(len(from)))
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{response.StatusCode, response.Header, string(body)}
}

func isRefusal(t testing.TB, got reply, status int, message, retryAfter string) {
	t.Helper()
	want := fmt.Sprintf(`{"jsonrpc":"2.0","error":{"code":%d,"message":%q}}`, status, message)
	if got.status != status || got.body != want || got.header.Get("Retry-After") != retryAfter || got.header.Get("Content-Type") != "application/json" {
		t.Errorf("answer is %d %s %v, want %d %s, Retry-After %s", got.status, got.body, got.header, status, want, retryAfter)
	}
}

func TestHTTP17PerClientAnswers429(t *testing.T) {
	clock := newClock()
	limit, err := PerClient(PerClientConfig{Config: Config{Rate: 0.4, Burst: 2, Now: clock.now}, ClientConfig: ClientConfig{Principal: byHeader}})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(limit(http.NotFoundHandler()))
	defer server.Close()
	for _, from := range []string{"", "ci", "127.0.0.1", "address 127.0.0.1"} { // all count apart
		for range 2 {
			if got := get(t, server.URL, from); got.status != 404 {
				t.Fatalf("%q gets %d within the limit", from, got.status)
			}
		}
		isRefusal(t, get(t, server.URL, from), 429, "too many requests", "3") // 2.5 s, rounded up
	}
	clock.advance(2500 * time.Millisecond)
	if got := get(t, server.URL, "ci"); got.status != 404 {
		t.Errorf("after waiting: %d", got.status)
	}
}

func TestHTTP17InFlightAnswers503(t *testing.T) {
	entered, release := make(chan struct{}), make(chan struct{})
	limit, err := InFlight(InFlightConfig{GateConfig: GateConfig{Total: 3, PerKey: 2}, ClientConfig: ClientConfig{Principal: byHeader}, RetryAfter: 1500 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(limit(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		entered <- struct{}{}
		<-release
	})))
	defer server.Close()
	done := make(chan int)
	occupy := func(from string) {
		go func() { done <- get(t, server.URL, from).status }()
		<-entered
	}
	occupy("a")
	occupy("a")
	isRefusal(t, get(t, server.URL, "a"), 503, "too busy", "2")
	occupy("b")
	isRefusal(t, get(t, server.URL, "c"), 503, "too busy", "2")
	release <- struct{}{}
	<-done
	occupy("c")
	for range 3 {
		release <- struct{}{}
		if status := <-done; status != 200 {
			t.Errorf("a request that was let in gets %d", status)
		}
	}
}

func TestInFlightIsFreedAfterAPanic(t *testing.T) {
	limit, err := InFlight(InFlightConfig{GateConfig: GateConfig{Total: 1}})
	if err != nil {
		t.Fatal(err)
	}
	handler := limit(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	for range 3 {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the handler was not reached")
				}
			}()
			handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
		}()
	}
}

func TestRefuseFuncAnswersInstead(t *testing.T) {
	client := ClientConfig{Refuse: func(w http.ResponseWriter, r *http.Request, status int, retryAfter time.Duration) {
		w.WriteHeader(status + 20)
	}}
	limit, err := PerClient(PerClientConfig{Config: Config{Burst: 1, Now: newClock().now}, ClientConfig: client})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(limit(http.NotFoundHandler()))
	defer server.Close()
	get(t, server.URL, "")
	if got := get(t, server.URL, ""); got.status != 449 || got.header.Get("Retry-After") != "1" {
		t.Errorf("answer is %d %v", got.status, got.header)
	}
}

func TestMiddlewareBadConfigIsRefused(t *testing.T) {
	if _, err := PerClient(PerClientConfig{Config: Config{Rate: -1}}); err == nil {
		t.Error("PerClient accepts a negative rate")
	}
	if _, err := InFlight(InFlightConfig{GateConfig: GateConfig{Total: -1}}); err == nil {
		t.Error("InFlight accepts a negative total")
	}
}

func TestClientIsTheRemoteNetwork(t *testing.T) {
	for remote, want := range map[string]string{
		"192.0.2.1:1234":                "192.0.2.1",
		"[::ffff:192.0.2.1]:1":          "192.0.2.1",
		"[2001:db8:1:2:3:4:5:6]:1":      "2001:db8:1:2::/64",
		"[2001:db8:1:2:ffff::1]:99":     "2001:db8:1:2::/64",
		"[2001:db8:1:3::1]:99":          "2001:db8:1:3::/64",
		"[fe80::1%eth0]:1":              "fe80::/64",
		"":                              "unknown",
		"@":                             "unknown",
		strings.Repeat("1", 1000) + ":": "unknown",
	} {
		if got := remoteNetwork(remote); got != want {
			t.Errorf("network of %q is %q, want %q", remote, got, want)
		}
	}
}
