package judge_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mcpworks/internal/secret"
	"mcpworks/packs/judge"
	"mcpworks/packs/judge/internal/ojapi"
)

// over opens a session with a server that reaches its backend by way alone.
func over(t testing.TB, way http.RoundTripper) *session {
	t.Helper()
	srv, err := judge.NewOver(judge.Config{BaseURL: "https://judge.example", Token: secret.New(token)}, way)
	if err != nil {
		t.Fatal(err)
	}
	return open(t, srv)
}

const (
	someProblem = `{"source":"leetcode","id":"1"}`
	shortBody   = `{"id":"1","title":"T"}`
)

func wantAnswer(t testing.TB, r reply, kind, text string) {
	t.Helper()
	if r.kind() != kind || r.text() != text {
		t.Errorf("answer is %s %q, want %s %q", r.kind(), r.text(), kind, text)
	}
}

// A roundTripper is the whole network in one function.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func respond(r *http.Request, status int, header, body string) *http.Response {
	raw := fmt.Sprintf("HTTP/1.1 %d X\r\nContent-Length: %d\r\n%s\r\n\r\n%s", status, len(body), header, body)
	resp, err := http.ReadResponse(bufio.NewReader(strings.NewReader(raw)), r)
	if err != nil {
		panic(err)
	}
	return resp
}

func TestInvariant7TimeoutIsThirtySeconds(t *testing.T) {
	if ojapi.DefaultTimeout != 30*time.Second {
		t.Errorf("a request may take %v", ojapi.DefaultTimeout)
	}
}

// silence is a connection in memory whose far end says only this and then
// nothing more.
func silence(saying string) *http.Transport {
	return &http.Transport{DialTLSContext: func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go func() {
			defer far.Close()
			if saying != "" {
				if _, err := http.ReadRequest(bufio.NewReader(far)); err != nil {
					return
				}
				io.WriteString(far, saying)
			}
			io.Copy(io.Discard, far) // until the client gives up
		}()
		return near, nil
	}}
}

// The clock of the bubble jumps, so thirty seconds take no time.
func TestInvariant7ServerThatNeverAnswers(t *testing.T) {
	for name, c := range map[string]struct{ saying, want string }{
		"silent":         {"", "request failed: timed out after 30s"},
		"header only":    {"HTTP/1.1 200 OK\r\nContent-Type: appl", "request failed: timed out after 30s"},
		"part of a body": {"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{", "read body failed: timed out after 30s"},
		"long body":      {"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{", "read body failed: timed out after 30s"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := over(t, silence(c.saying))
				start := time.Now()
				r := s.call(t, "get_problem", someProblem)
				wantAnswer(t, r, "error -32603", c.want)
				if took := time.Since(start); took < 29*time.Second || took > 31*time.Second {
					t.Errorf("the call took %v", took)
				}
			})
		})
	}
}

// Redirects share the one timeout: ten slow ones do not add up.
func TestInvariant7TimeoutCoversRedirects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := over(t, roundTripper(func(r *http.Request) (*http.Response, error) {
			select {
			case <-time.After(8 * time.Second):
				return respond(r, http.StatusFound, "Location: /again", ""), nil
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
		}))
		start := time.Now()
		wantAnswer(t, s.call(t, "get_problem", someProblem), "error -32603", "request failed: timed out after 30s")
		if took := time.Since(start); took != 30*time.Second {
			t.Errorf("the call took %v", took)
		}
	})
}

// A short Timeout against a real socket behaves like the long one in memory.
func TestInvariant22TimeoutIsAProtocolError(t *testing.T) {
	gone := make(chan struct{})
	s := against(t, func(_ http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		close(gone)
	}, func(cfg *judge.Config) { cfg.Timeout = 20 * time.Millisecond })
	wantAnswer(t, s.call(t, "get_problem", someProblem), "error -32603", "request failed: timed out after 20ms")
	<-gone
}

func TestInvariant22RefusedConnectionIsAProtocolError(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free := l.Addr().String()
	l.Close()
	s := open(t, newServer(t, judge.Config{BaseURL: "http://" + free, Token: secret.New(token)}))
	for _, call := range anyCall {
		r := s.call(t, call.tool, call.arguments)
		if r.kind() != "error -32603" || !strings.HasPrefix(r.text(), "request failed: ") || !strings.Contains(r.text(), "refused") {
			t.Errorf("%s: %s %q", call.tool, r.kind(), r.text())
		}
		if strings.Contains(r.text(), free) {
			t.Errorf("the text tells where the backend is: %s", r.text())
		}
	}
}

func TestInvariant22NameLookupFailureIsAProtocolError(t *testing.T) {
	for text, cause := range map[string]*net.DNSError{
		"request failed: no such host":       {Err: "no such host", Name: "judge.example", IsNotFound: true},
		"request failed: name lookup failed": {Err: "server misbehaving", Name: "judge.example", IsTemporary: true},
	} {
		s := over(t, &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: cause}
		}})
		wantAnswer(t, s.call(t, "resolve_problem", `{"query":"x"}`), "error -32603", text)
	}
}

// Section 9, row 1: nobody vouches for the certificate.
func TestInvariant22UntrustedCertificateIsAProtocolError(t *testing.T) {
	backend := httptest.NewUnstartedServer(http.NotFoundHandler())
	backend.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	backend.StartTLS()
	t.Cleanup(backend.Close)
	s := open(t, newServer(t, judge.Config{BaseURL: backend.URL}))
	r := s.call(t, "get_problem", someProblem)
	if r.kind() != "error -32603" || !strings.HasPrefix(r.text(), "request failed: ") || !strings.Contains(r.text(), "certificate") {
		t.Errorf("answer is %s %q", r.kind(), r.text())
	}
}

func TestInvariant11AuthorizationHeader(t *testing.T) {
	for name, c := range map[string]struct{ token, want string }{
		"token": {token, "Bearer " + token},
		"none":  {"", ""},
		"blank": {" \t", ""}, // counts as absent (2.2)
		"inner": {"two words", "Bearer two words"},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			s := against(t, func(w http.ResponseWriter, r *http.Request) {
				asked++
				if got := strings.Join(r.Header["Authorization"], ","); got != c.want {
					t.Errorf("%s: Authorization is %q, want %q", r.URL, got, c.want)
				}
			}, func(cfg *judge.Config) { cfg.Token = secret.New(c.token) })
			for _, call := range anyCall {
				s.call(t, call.tool, call.arguments)
			}
			if c.want != "" && asked != len(anyCall) || c.want == "" && asked != len(anyCall)-1 {
				t.Errorf("%d requests; only the status tool needs a token", asked)
			}
		})
	}
}

// hop is one request of a redirected exchange.
type hop struct{ url, authorization string }

func follow(t *testing.T, locations ...string) []hop {
	t.Helper()
	var hops []hop
	s := over(t, roundTripper(func(r *http.Request) (*http.Response, error) {
		hops = append(hops, hop{r.URL.String(), r.Header.Get("Authorization")})
		if r.Header.Get("Referer") != "" {
			t.Errorf("the request tells where it comes from: %s", r.Header.Get("Referer"))
		}
		if n := len(hops) - 1; n < len(locations) {
			return respond(r, http.StatusTemporaryRedirect, "Location: "+locations[n], ""), nil
		}
		return respond(r, http.StatusOK, "Content-Type: application/json", shortBody), nil
	}))
	if r := s.call(t, "get_problem", someProblem); r.kind() != "result" {
		t.Errorf("%q: %s %q", locations, r.kind(), r.text())
	}
	if len(hops) != len(locations)+1 {
		t.Fatalf("%d requests, want %d", len(hops), len(locations)+1)
	}
	return hops
}

func TestInvariant12TokenStaysInItsOrigin(t *testing.T) {
	for location, kept := range map[string]bool{
		"/elsewhere":                       true,
		"https://judge.example/elsewhere":  true,
		"https://judge.example:443/x":      true,
		"HTTPS://JUDGE.EXAMPLE/x":          true,
		"//judge.example/x":                true,
		"http://judge.example/x":           false, // scheme
		"http://judge.example:443/x":       false,
		"https://judge.example:8443/x":     false, // port
		"https://other.example/x":          false, // host
		"https://sub.judge.example/x":      false,
		"https://judge.example.evil.test/": false,
		"https://judge.example./x":         false,
		"//other.example/x":                false,
	} {
		last := follow(t, location)[1]
		if got := last.authorization == "Bearer "+token; got != kept || !kept && last.authorization != "" {
			t.Errorf("%s: Authorization is %q", location, last.authorization)
		}
	}
	for _, h := range follow(t, "https://other.example/a", "https://other.example/b", "https://third.example/")[1:] {
		if h.authorization != "" {
			t.Errorf("%s got %q", h.url, h.authorization)
		}
	}
}

func TestInvariant13TenRedirectsAreFollowed(t *testing.T) {
	locations := strings.Split(strings.Repeat("/again ", 10), " ")[:10]
	for _, h := range follow(t, locations...) {
		if h.authorization != "Bearer "+token {
			t.Errorf("%s got %q", h.url, h.authorization)
		}
	}
}

func TestInvariant13EndlessRedirectsAreAProtocolError(t *testing.T) {
	asked := 0
	s := against(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.Redirect(w, r, r.URL.Path+"x", http.StatusFound)
	})
	wantAnswer(t, s.call(t, "get_problem", someProblem), "error -32603", "request failed: stopped after 10 redirects")
	if asked != 11 {
		t.Errorf("%d requests, want the first and 10 redirects", asked)
	}
}

// The backend would go on for ever; the call ends and the backend notices.
func TestInvariant8EndlessBodyIsNotRead(t *testing.T) {
	sent := make(chan int, 1)
	s := against(t, func(w http.ResponseWriter, _ *http.Request) {
		piece, n := bytes.Repeat([]byte("x"), 64<<10), 0
		for {
			if _, err := w.Write(piece); err != nil {
				sent <- n
				return
			}
			n += len(piece)
		}
	})
	r := s.call(t, "get_problem", someProblem)
	if r.kind() != "failed result" || r.text() != "[200] "+strings.Repeat("x", 500) {
		t.Errorf("answer is %s %q", r.kind(), r.text())
	}
	if n := <-sent; n > 64<<20 {
		t.Errorf("the backend could send %d bytes", n)
	}
}

// The log tells how much of a body was kept.
func TestInvariant8KeptBytesAreLogged(t *testing.T) {
	var lines logLines
	s := against(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Write(make([]byte, 2<<20))
	}, func(cfg *judge.Config) {
		cfg.Log = slog.New(slog.NewTextHandler(&lines, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	s.call(t, "get_problem", someProblem)
	for _, part := range []string{"method=GET", "path=/api/v1/problems/leetcode/1", "status=200", "bytes=1048576", "ms="} {
		if !strings.Contains(lines.String(), part) {
			t.Errorf("the log lacks %s:\n%s", part, lines.String())
		}
	}
}

// logLines is a log that can be read while it is written.
type logLines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logLines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(line)
}

func (l *logLines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
