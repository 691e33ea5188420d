package ojapi

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"mcpworks/internal/logging"
	"mcpworks/internal/secret"

	"github.com/google/go-cmp/cmp"
)

const token = "hunter2-sEcReT"

// serve starts a backend and returns a client for it; edit may change the
// client's configuration.
func serve(t *testing.T, h http.HandlerFunc, edit ...func(*Config)) *Client {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	cfg := Config{Origin: originAt(t, s.URL), Version: "9.9.9"}
	for _, e := range edit {
		e(&cfg)
	}
	return New(cfg)
}

func originAt(t *testing.T, s string) Origin {
	t.Helper()
	o, err := ParseOrigin(s)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func withToken(cfg *Config) { cfg.Token = secret.New(token) }

// answer makes a handler that always answers alike.
func answer(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = nil
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

const jsonType = "application/json"

func okJSON(body string) http.HandlerFunc { return answer(http.StatusOK, jsonType, body) }

// wantTransport fails unless err is a *TransportError with the text.
func wantTransport(t *testing.T, err error, text string) {
	t.Helper()
	var e *TransportError
	if !errors.As(err, &e) || e.Error() != text {
		t.Errorf("error is %T %q, want a transport error %q", err, err, text)
	}
}

// wantStatus fails unless err is a *StatusError with the text.
func wantStatus(t *testing.T, err error, text string) {
	t.Helper()
	var e *StatusError
	if !errors.As(err, &e) || e.Text != text {
		t.Errorf("error is %T %.80q, want a status error %.80q", err, err, text)
	}
}

// calls has one call per route of section 6.
var calls = map[string]func(context.Context, *Client) error{
	"/api/v1/daily?domain=com&date=2026-03-05": func(ctx context.Context, c *Client) error {
		_, err := c.Daily(ctx, "com", "2026-03-05")
		return err
	},
	"/api/v1/problems/a%2Fb/c%20d": func(ctx context.Context, c *Client) error { // invariant 35
		_, err := c.Problem(ctx, "a/b", "c d")
		return err
	},
	"/api/v1/similar?q=two%20sums%26more&limit=10&threshold=0": func(ctx context.Context, c *Client) error { // invariant 45
		_, err := c.SimilarByText(ctx, "two sums&more", 10, 0, " ,")
		return err
	},
	"/api/v1/similar/leetcode/1?limit=50&threshold=0.25&source=leetcode%2Ccodeforces": func(ctx context.Context, c *Client) error {
		_, err := c.SimilarByProblem(ctx, "leetcode", "1", 50, 0.25, "leetcode, ,codeforces")
		return err
	},
	"/api/v1/resolve/https%3A%2F%2Fleetcode.com%2Fproblems%2Ftwo-sum%2F": func(ctx context.Context, c *Client) error { // invariant 38
		_, err := c.Resolve(ctx, "https://leetcode.com/problems/two-sum/")
		return err
	},
	"/status": func(ctx context.Context, c *Client) error {
		_, err := c.Status(ctx)
		return err
	},
}

func TestInvariant11And14RequestsOnTheWire(t *testing.T) {
	for target, call := range calls {
		for _, auth := range []string{"", "Bearer " + token} {
			var got *http.Request
			c := serve(t, func(w http.ResponseWriter, r *http.Request) { got = r }, func(cfg *Config) {
				if auth != "" {
					withToken(cfg)
				}
			})
			call(t.Context(), c)
			if got == nil {
				t.Fatalf("%s: no request", target)
			}
			if got.Method != http.MethodGet || got.RequestURI != target || got.ContentLength != 0 {
				t.Errorf("request is %s %s, want GET %s", got.Method, got.RequestURI, target)
			}
			if _, has := got.Header["Authorization"]; has != (auth != "") || got.Header.Get("Authorization") != auth {
				t.Errorf("%s: Authorization is %q, want %q", target, got.Header["Authorization"], auth)
			}
			if agent := got.Header.Get("User-Agent"); agent != "oj-mcp-rs/9.9.9" {
				t.Errorf("User-Agent is %q", agent)
			}
		}
	}
}

func TestFailures(t *testing.T) {
	var cases []struct {
		Name        string
		Status      int
		ContentType string `json:"content_type"`
		Body        string
		Kind, Text  string
	}
	data, err := os.ReadFile("testdata/failures.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for _, tt := range cases {
		t.Run(tt.Name, func(t *testing.T) {
			c := serve(t, answer(tt.Status, tt.ContentType, tt.Body))
			_, err := c.Problem(t.Context(), "leetcode", "1")
			switch tt.Kind {
			case "status":
				wantStatus(t, err, tt.Text)
			case "transport":
				wantTransport(t, err, tt.Text)
			default:
				t.Fatalf("unknown kind %q", tt.Kind)
			}
		})
	}
}

func TestInvariant21EveryErrorStatusOnEveryRoute(t *testing.T) {
	for status := 400; status < 600; status++ {
		c := serve(t, answer(status, jsonType, "{"))
		for target, call := range calls {
			var e *StatusError
			if err := call(t.Context(), c); !errors.As(err, &e) || e.Text != fmt.Sprintf("[%d] {", status) {
				t.Errorf("%s with %d: %v", target, status, err)
			}
		}
	}
}

func TestInvariants24And25FallbackIsFiveHundredScalars(t *testing.T) {
	for body, want := range map[string]string{
		strings.Repeat("x", 1000):         strings.Repeat("x", 500),
		strings.Repeat("x", 499) + "😀":    strings.Repeat("x", 499) + "😀",
		strings.Repeat("x", 499) + "😀😀":   strings.Repeat("x", 499) + "😀",
		strings.Repeat("最", 501):          strings.Repeat("最", 500),
		"a\xffb":                          "a\uFFFDb",
		"\xff" + strings.Repeat("x", 600): "\uFFFD" + strings.Repeat("x", 499),
	} {
		for _, status := range []int{200, 404, 500} {
			c := serve(t, answer(status, "text/plain", body))
			_, err := c.Status(t.Context())
			wantStatus(t, err, fmt.Sprintf("[%d] %s", status, want))
		}
	}
}

func TestErrorBodyThatIsNotUTF8(t *testing.T) {
	c := serve(t, answer(500, "application/problem+json", "{\"title\":\"\xff\"}"))
	_, err := c.Status(t.Context())
	wantStatus(t, err, "[500] {\"title\":\"\uFFFD\"}")

	c = serve(t, okJSON("{\"id\":\"\xff\"}"))
	_, err = c.Problem(t.Context(), "s", "1")
	wantTransport(t, err, "invalid JSON: invalid UTF-8 at byte 7")
}

func TestInvariant26FetchingOnTheDailyRoute(t *testing.T) {
	thirty := 30
	for _, tt := range []struct {
		contentType, body string
		want              *int
	}{
		{jsonType, `{"status":"fetching","retry_after":30}`, &thirty},
		{jsonType, `{"status":"fetching"}`, nil},
		{jsonType, `{"retry_after":null}`, nil},
		{jsonType, `{"retry_after":"30"}`, nil},
		{jsonType, `{"retry_after":30.5}`, nil},
		{jsonType, `{"retry_after":1e99}`, nil},
		{jsonType, `{"Retry_After":30}`, nil},
		{jsonType, `{`, nil},
		{jsonType, ``, nil},
		{"text/plain", `{"retry_after":30}`, nil},
	} {
		c := serve(t, answer(202, tt.contentType, tt.body))
		_, err := c.Daily(t.Context(), "com", "2026-03-05")
		var e *Fetching
		if !errors.As(err, &e) {
			t.Fatalf("%s: %v", tt.body, err)
		}
		if diff := cmp.Diff(tt.want, e.RetryAfter); diff != "" {
			t.Errorf("%s: retry after (-want +got):\n%s", tt.body, diff)
		}
	}
}

// counting counts the connections that a server accepts.
type counting struct {
	net.Listener
	n *atomic.Int32
}

func (l counting) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err == nil {
		l.n.Add(1)
	}
	return conn, err
}

// serveCounting is serve with a count of connections.
func serveCounting(t *testing.T, h http.HandlerFunc) (*Client, *atomic.Int32) {
	var n atomic.Int32
	s := httptest.NewUnstartedServer(h)
	s.Listener = counting{s.Listener, &n}
	s.Start()
	t.Cleanup(s.Close)
	return New(Config{Origin: originAt(t, s.URL)}), &n
}

func TestInvariant8BodyIsCutAtOneMiB(t *testing.T) {
	two := strings.Repeat("x", 2<<20)
	c := serve(t, answer(200, jsonType, two))
	r, err := c.get(t.Context(), "/status")
	if err != nil || len(r.body) != 1_048_576 || cap(r.body) > 1_048_576 {
		t.Fatalf("kept %d bytes in a buffer of %d, %v", len(r.body), cap(r.body), err)
	}
	// A cut success is incomplete JSON.
	c = serve(t, okJSON(`{"id":"`+two+`"}`))
	_, err = c.Problem(t.Context(), "s", "1")
	wantTransport(t, err, "invalid JSON: unexpected end at byte 1048576")
	// A cut failure shows its beginning.
	c = serve(t, answer(500, jsonType, `{"title":"`+two+`"}`))
	_, err = c.Problem(t.Context(), "s", "1")
	wantStatus(t, err, `[500] {"title":"`+two[:490])
}

func TestBodyOfExactlyTheCapIsWhole(t *testing.T) {
	head, tail := `{"id":"1","content":"`, `"}`
	content := strings.Repeat("x", maxBody-len(head)-len(tail))
	c := serve(t, okJSON(head+content+tail))
	p, err := c.Problem(t.Context(), "s", "1")
	if err != nil || p.Content != content {
		t.Fatalf("error %v", err)
	}
}

func TestConnectionIsReused(t *testing.T) {
	c, connections := serveCounting(t, answer(404, "text/plain", "no"))
	for range 20 {
		c.Status(t.Context())
	}
	if n := connections.Load(); n != 1 {
		t.Errorf("%d connections, want 1", n)
	}
}

// endless is a body that goes on until the client hangs up.
func endless(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain")
	chunk := bytes.Repeat([]byte("x"), 64<<10)
	for {
		if _, err := w.Write(chunk); err != nil {
			return
		}
	}
}

func TestEndlessBodyEnds(t *testing.T) {
	c := serve(t, endless)
	_, err := c.Status(t.Context())
	wantStatus(t, err, "[200] "+strings.Repeat("x", 500))
}

// A server that stalls right after the cap must not cost the whole timeout.
func TestStallAfterTheCapCostsNothing(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		w.Write(bytes.Repeat([]byte("x"), maxBody+10))
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}, func(cfg *Config) { cfg.Timeout = time.Hour })
	_, err := c.Status(t.Context())
	wantStatus(t, err, "[500] "+strings.Repeat("x", 500))
}

func TestGzipBombIsBounded(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	zeros := make([]byte, 1<<20)
	for range 8 {
		z.Write(zeros)
	}
	z.Close()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", jsonType)
		w.Write(bomb.Bytes())
	})
	r, err := c.get(t.Context(), "/status")
	if err != nil || len(r.body) != maxBody || cap(r.body) > maxBody {
		t.Fatalf("kept %d bytes in %d, %v", len(r.body), cap(r.body), err)
	}
}

func TestGzipIsDecoded(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", jsonType)
		z := gzip.NewWriter(w)
		io.WriteString(z, `{"id":"7"}`)
		z.Close()
	})
	p, err := c.Problem(t.Context(), "spoj", "7")
	if err != nil || p.ID != "7" {
		t.Fatalf("%v, %v", p, err)
	}
}

func TestBrokenGzip(t *testing.T) {
	broken := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Content-Type", jsonType)
			w.WriteHeader(status)
			io.WriteString(w, "this is not gzip")
		}
	}
	_, err := serve(t, broken(200)).Status(t.Context())
	wantTransport(t, err, "read body failed: gzip: invalid header")
	_, err = serve(t, broken(502)).Status(t.Context())
	wantStatus(t, err, "[502] ")
}

// cutShort promises more than it sends and hangs up.
func cutShort(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		w.Header().Set("Content-Type", jsonType)
		w.WriteHeader(status)
		io.WriteString(w, `{"id":`)
	}
}

func TestConnectionLostInTheBody(t *testing.T) {
	_, err := serve(t, cutShort(200)).Status(t.Context())
	wantTransport(t, err, "read body failed: connection closed early")
	_, err = serve(t, cutShort(202)).Daily(t.Context(), "com", "2026-03-05")
	wantTransport(t, err, "read body failed: connection closed early")
	// Invariant 21: an error status stays one.
	_, err = serve(t, cutShort(503)).Status(t.Context())
	wantStatus(t, err, `[503] {"id":`)
}

func TestConnectionClosedWithoutAnswer(t *testing.T) {
	c := serve(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	_, err := c.Status(t.Context())
	wantTransport(t, err, "request failed: connection closed early")
}

func TestInvariant22Refused(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	c := New(Config{Origin: originAt(t, "http://"+l.Addr().String()), Token: secret.New(token)})
	for target, call := range calls {
		t.Log(target)
		wantTransport(t, call(t.Context(), c), "request failed: connection refused")
	}
}

func TestInvariant22UnknownHost(t *testing.T) {
	c := New(Config{Origin: originAt(t, "http://no-such-host.invalid")})
	var e *TransportError
	if _, err := c.Status(t.Context()); !errors.As(err, &e) || e.Stage != "request failed" {
		t.Errorf("error is %v", err)
	}
}

// roundTripper plays the network.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestReasonsAreShortAndHoldNothingFromOutside(t *testing.T) {
	for want, cause := range map[string]error{
		"no such host":          &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "x.invalid", IsNotFound: true}},
		"name lookup failed":    &net.DNSError{Err: "server misbehaving", Name: "x", Server: "192.0.2.1:53"},
		"connection reset":      &net.OpError{Op: "read", Net: "tcp", Err: &os.SyscallError{Syscall: "read", Err: errors.New("connection reset")}},
		"invalid proxy address": errors.New(`invalid proxy address "http://me:pw@proxy/x": bad`),
		"bad [redacted] here":   errors.New("bad " + token + " here"),
	} {
		c := New(Config{Origin: originAt(t, "http://h"), Token: secret.New(token),
			Transport: roundTripper(func(*http.Request) (*http.Response, error) { return nil, cause })})
		_, err := c.Resolve(t.Context(), "private query")
		wantTransport(t, err, "request failed: "+want)
	}
}

func TestUntrustedCertificate(t *testing.T) {
	s := httptest.NewUnstartedServer(okJSON("{}"))
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	s.StartTLS()
	defer s.Close()
	_, err := New(Config{Origin: originAt(t, s.URL)}).Status(t.Context())
	var e *TransportError
	if !errors.As(err, &e) || !strings.HasPrefix(e.Error(), "request failed: tls: failed to verify certificate") {
		t.Errorf("error is %v", err)
	}
}

// silent never answers; it ends when the client hangs up.
func silent(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func TestInvariant7TimeoutOnTheNetwork(t *testing.T) {
	c := serve(t, silent, func(cfg *Config) { cfg.Timeout = 20 * time.Millisecond })
	_, err := c.Status(t.Context())
	wantTransport(t, err, "request failed: timed out after 20ms")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error("errors.Is must find context.DeadlineExceeded")
	}
	c = serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "{")
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}, func(cfg *Config) { cfg.Timeout = 50 * time.Millisecond })
	_, err = c.Status(t.Context())
	wantTransport(t, err, "read body failed: timed out after 50ms")
}

func TestInvariant7DefaultTimeoutIsThirtySeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(Config{Origin: originAt(t, "http://h"), Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})})
		start := time.Now()
		_, err := c.Status(t.Context())
		if took := time.Since(start); took != 30*time.Second {
			t.Errorf("took %v, want 30s", took)
		}
		wantTransport(t, err, "request failed: timed out after 30s")
	})
}

// The transport must not give up before the client does.
func TestInvariant7TransportHasNoShorterTimeout(t *testing.T) {
	tr := newTransport()
	if tr.TLSHandshakeTimeout != 0 || tr.ResponseHeaderTimeout != 0 {
		t.Error("the transport has timeouts of its own")
	}
}

func TestCancellationAbortsTheRequest(t *testing.T) {
	for _, stage := range []string{"request failed", "read body failed"} {
		arrived, aborted := make(chan struct{}), make(chan struct{})
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if stage == "read body failed" {
				w.WriteHeader(http.StatusInternalServerError)
				io.WriteString(w, "partly")
				http.NewResponseController(w).Flush()
			}
			close(arrived)
			<-r.Context().Done()
			close(aborted)
		})
		ctx, cancel := context.WithCancelCause(t.Context())
		result := make(chan error)
		go func() {
			_, err := c.Status(ctx)
			result <- err
		}()
		<-arrived
		cancel(errors.New("client went away"))
		err := <-result
		<-aborted
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: errors.Is finds no context.Canceled in %v", stage, err)
		}
	}
}

func TestCallersDeadline(t *testing.T) {
	c := serve(t, silent)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, err := c.Status(ctx)
	wantTransport(t, err, "request failed: timed out")
}

func TestInvariant30ErrorTextsHideTheToken(t *testing.T) {
	for _, tt := range []struct{ contentType, body, want string }{
		{"text/plain", "bad token " + token + "!", "[401] bad token [redacted]!"},
		{jsonType, `{"title":"Unauthorized","detail":"bad token ` + token + `"}`, "[401] Unauthorized: bad token [redacted]"},
		{"text/plain", strings.Repeat("x", 495) + token, "[401] " + strings.Repeat("x", 495) + "[reda"},
		{"text/plain", strings.Repeat("x", 480) + token + "yyyyyyyyyyyyyyyyyyyyyyy", "[401] " + strings.Repeat("x", 480) + "[redacted]yyyyyyyyyy"},
	} {
		c := serve(t, answer(401, tt.contentType, tt.body), withToken)
		_, err := c.Status(t.Context())
		wantStatus(t, err, tt.want)
	}
}

func TestRequestLogs(t *testing.T) {
	body := `{"title":"Unauthorized","detail":"bad token ` + token + `", "rest":"` + strings.Repeat("y", 1000) + `"}`
	lines := func(level logging.Level) string {
		var out bytes.Buffer
		c := serve(t, answer(401, jsonType, body), withToken, func(cfg *Config) {
			cfg.Log = logging.New(secret.Writer(&out, cfg.Token), level)
		})
		c.SimilarByText(t.Context(), "private query", 1, 0, "")
		if strings.Contains(out.String(), token) {
			t.Errorf("the log holds the token: %s", out.String())
		}
		return out.String()
	}
	if got := lines(slog.LevelInfo); got != "" {
		t.Errorf("info logs %s", got)
	}
	debug := lines(slog.LevelDebug)
	for _, want := range []string{"level=DEBUG", "method=GET", "path=/api/v1/similar ", "status=401", fmt.Sprintf("bytes=%d", len(body)), " ms="} {
		if !strings.Contains(debug, want) {
			t.Errorf("debug line lacks %q: %s", want, debug)
		}
	}
	if strings.Contains(debug, "private") || strings.Contains(debug, "Unauthorized") || strings.Count(debug, "\n") != 1 {
		t.Errorf("debug logs query or body: %s", debug)
	}
	trace := lines(logging.LevelTrace)
	if !strings.Contains(trace, "level=TRACE") || !strings.Contains(trace, "[redacted]") {
		t.Errorf("trace lines: %s", trace)
	}
	if n := strings.Count(trace, "y"); n > 500 || n < 400 {
		t.Errorf("trace shows %d scalars of the filler", n)
	}
}

func TestFailedRequestIsLogged(t *testing.T) {
	var out bytes.Buffer
	c := New(Config{Origin: originAt(t, "http://h"), Log: logging.New(&out, logging.LevelTrace),
		Transport: roundTripper(func(*http.Request) (*http.Response, error) { return nil, errors.New("broken") })})
	c.Status(t.Context())
	if got := out.String(); !strings.Contains(got, `error="request failed: broken"`) || strings.Count(got, "\n") != 1 {
		t.Errorf("log: %s", got)
	}
}
