package wire

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"mcpworks/internal/secret"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

// serverMode has the test program be a server, of the kind that it names.
const serverMode = "WIRE_TEST_SERVER"

func TestMain(m *testing.M) {
	if kind := os.Getenv(serverMode); kind != "" {
		serve(kind)
		return
	}
	os.Exit(m.Run())
}

// serve answers every request, and misbehaves after each.
func serve(kind string) {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		text := answerTo(lines.Bytes())
		if text == "" {
			continue
		}
		fmt.Println(text)
		switch kind {
		case "asking":
			for i := range 20 {
				fmt.Printf(`{"jsonrpc":"2.0","id":%d,"method":"roots/list"}`+"\n", i)
			}
		case "insatiable":
			out := bufio.NewWriter(os.Stdout)
			for i := range 15_000 {
				fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%d,"method":"ping"}`+"\n", i)
			}
			out.Flush()
			time.Sleep(time.Minute) // and reads nothing any more
		case "blank":
			fmt.Fprint(os.Stderr, strings.Repeat("\n", 25_000))
		case "chatty":
			fmt.Print(strings.Repeat("noise\n", 25_000))
		}
	}
}

// answerTo is what a server with a single, nameless tool says to a request.
func answerTo(text []byte) string {
	var request struct {
		ID     json.RawMessage
		Method string
	}
	if json.Unmarshal(text, &request) != nil || request.ID == nil || request.Method == "" {
		return ""
	}
	result := "{}"
	switch request.Method {
	case mcp.MethodInitialize:
		result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"hostile","version":"1"}}`
	case mcp.MethodListTools:
		result = `{"tools":[{"name":"","inputSchema":{"type":"object"}}]}`
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, request.ID, result)
}

// quick are options that do not wait for long.
func quick() Options {
	return Options{Level: lint.Probe, Client: client.Options{Timeouts: client.Timeouts{Request: 2 * time.Second, Open: 5 * time.Second}}}
}

func started(t *testing.T, kind string) *Server {
	t.Helper()
	s, err := NewServer(client.Command{Args: []string{os.Args[0]}, Env: []string{serverMode + "=" + kind}}, quick())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Finish)
	return s
}

func reached(t *testing.T, address string, opts Options) *Server {
	t.Helper()
	s, err := NewServer(client.URL(address), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Finish)
	return s
}

// written is a record as it is kept.
func written(t *testing.T, s *Server) string {
	t.Helper()
	var text strings.Builder
	if err := s.Record().Write(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// What the server asks is answered beside the talk, without disturbing it: this
// is for the race detector.
func TestAnswersOnTheSide(t *testing.T) {
	talk := started(t, "asking").Open(t.Context(), Opening{Phase: step.Main})
	for range 5 {
		if !talk.Ask(step.Ping, "", mcp.MethodPing, "").OK() {
			t.Error("no answer")
		}
	}
	talk.Close()
}

// D2.66: a server that asks without end and reads nothing is not waited for by
// ever more goroutines.
func TestInsatiableServer(t *testing.T) {
	before := runtime.NumGoroutine()
	talk := started(t, "insatiable").Open(t.Context(), Opening{Phase: step.Probing})
	talk.Wait(time.Second)
	if more := runtime.NumGoroutine() - before; more > answersAtOnce+20 {
		t.Errorf("there are %d more goroutines", more)
	}
	talk.Close()
}

// A server that fills its standard error with blank lines leaves room for what
// it says.
func TestBlankStandardError(t *testing.T) {
	s := started(t, "blank")
	talk := s.Open(t.Context(), Opening{Phase: step.Main})
	talk.Ask(step.Ping, "", mcp.MethodPing, "")
	talk.Close()
	record := s.Record().Talks[0]
	if record.Truncated != 0 || record.Step(step.Ping, "").Answer() == nil || record.Exit() == nil {
		t.Errorf("%d events are missing, the ping was answered with %v", record.Truncated, record.Step(step.Ping, "").Answer())
	}
}

// What there is no room for is not taken for silence: the talk ends where the
// record does.
func TestTruncatedTalkEnds(t *testing.T) {
	s := started(t, "chatty")
	talk := s.Open(t.Context(), Opening{Phase: step.Main})
	for range 3 {
		talk.Ask(step.Ping, "", mcp.MethodPing, "")
	}
	talk.Close()
	record := s.Record().Talks[0]
	if record.Truncated == 0 || record.Failure == "" || record.Exit() == nil {
		t.Errorf("%d events are missing, failure %q, exit %v", record.Truncated, record.Failure, record.Exit())
	}
	for _, one := range record.StepsOf(step.Ping) {
		if one.Outcome == lint.Done && one.Answer() == nil {
			t.Error("a ping is done and has no answer")
		}
	}
}

// D2.63: a tool without a name is a tool, too, and a call without a name could
// run it.
func TestNamelessToolIsNotCalled(t *testing.T) {
	called := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		called = called || strings.Contains(string(body), mcp.MethodCallTool)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, answerTo(body))
	}))
	defer server.Close()
	s := reached(t, server.URL, quick())
	talk := s.Open(t.Context(), Opening{Phase: step.Main, NoStream: true})
	talk.Ask(step.List, mcp.MethodListTools, mcp.MethodListTools, "")
	s.Introduce(talk)
	talk.Ask(step.WrongParams, "", mcp.MethodCallTool, `{"arguments":{}}`)
	_, frame := talk.Request(mcp.MethodCallTool, `{"arguments":{}}`)
	talk.HTTP(step.WrongParams, "", Request{Method: http.MethodPost, Body: frame})
	_, stop := talk.Background(Request{Method: http.MethodPost, Body: frame})
	stop()
	talk.Close()
	if called {
		t.Error("the tool was called")
	}
}

// D2.34: a secret that the server repeats is in no record, whichever transport
// brings it and in whatever form HTTP carries it.
func TestRepeatedSecrets(t *testing.T) {
	const token, password, coded = "tok-0123456789", "pass-9876543210", "Ym9iOnBhc3MtOTg3NjU0MzIxMA=="
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		heard := strings.Join([]string{r.Header.Get("X-Token"), r.Header.Get("Authorization"), r.URL.String()}, " ")
		w.Header().Set("X-Heard", heard)
		switch {
		case r.URL.Path == "/none":
			http.Error(w, "no stream for "+heard, http.StatusNotFound)
		case r.Method == http.MethodGet:
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "event: endpoint\ndata: /post\n\ndata: {\"heard\":%q}\n\n", heard)
		default:
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":%q}}`, heard)
		}
	}))
	defer server.Close()
	opts := quick()
	opts.Client.Header = http.Header{"X-Token": {token}}
	opts.Client.Secrets = []secret.String{secret.New("query-secret")}
	for _, path := range []string{"/mcp", "/none"} {
		s := reached(t, strings.Replace(server.URL, "//", "//bob:"+password+"@", 1)+path+"?key=query-secret", opts)
		for _, transport := range []string{Streamable, SSE} {
			s.Open(t.Context(), Opening{Phase: step.Main, Transport: transport}).Close()
		}
		text := written(t, s)
		for _, hidden := range []string{token, password, coded, "query-secret"} {
			if strings.Contains(text, hidden) {
				t.Errorf("%s: the record has %s:\n%s", path, hidden, text)
			}
		}
	}
}

// A request without what is usual has no credentials, wherever they come from.
func TestNoUsualCredentials(t *testing.T) {
	var heard http.Header
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { heard = r.Header }))
	defer server.Close()
	opts := quick()
	opts.Client.Header = http.Header{"X-Token": {"tok-0123456789"}}
	s := reached(t, strings.Replace(server.URL, "//", "//bob:pass-9876543210@", 1), opts)
	talk := s.Open(t.Context(), Opening{Phase: step.Auth, NoHandshake: true})
	talk.HTTP(step.Challenge, "", Request{Method: http.MethodPost, NoUsual: true, Body: []byte("{}")})
	talk.Close()
	if heard.Get("Authorization") != "" || heard.Get("X-Token") != "" {
		t.Errorf("the server has got %v", heard)
	}
}

// A7.1.1: each request follows a few redirects, and no more.
func TestRedirects(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.Redirect(w, r, "/"+fmt.Sprint(asked), http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	talk := reached(t, server.URL, quick()).Open(t.Context(), Opening{Phase: step.Main, NoHandshake: true})
	talk.Step(step.Ping, "")
	for range 3 {
		asked = 0
		if talk.Exchange(Request{Method: http.MethodPost, Body: []byte("{}")}); asked != redirects+1 {
			t.Errorf("%d requests were made, want %d", asked, redirects+1)
		}
	}
	talk.Close()
}

// D2.66: neither the head of a response nor the number of its events is without
// bound.
func TestEndlessResponses(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/head" {
			w.Header().Set("X-Long", strings.Repeat("x", 2*headerBytes))
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for r.Context().Err() == nil {
			_, _ = io.WriteString(w, strings.Repeat("data: x\n\n", 1000))
		}
	}))
	defer server.Close()
	for _, path := range []string{"/head", "/stream"} {
		talk := reached(t, server.URL+path, quick()).Open(t.Context(), Opening{Phase: step.Main, NoHandshake: true})
		x := talk.HTTP(step.Ping, "", Request{Method: http.MethodPost, Body: []byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)})
		talk.Close()
		if x.Err == "" && !x.Cut || len(x.Times) > lint.MaxStreamEvents || len(x.Response.Get("X-Long")) > headerBytes {
			t.Errorf("%s: %d events, error %q", path, len(x.Times), x.Err)
		}
	}
}

// A stream that breaks off behind the answer is not waited for.
func TestStreamBreaksOff(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: %s\n\n", answerTo(body))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}))
	defer server.Close()
	s := reached(t, server.URL, quick())
	talk := s.Open(t.Context(), Opening{Phase: step.Main, NoStream: true})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		talk.AwaitStreams()
	}()
	select {
	case <-ended:
	case <-time.After(2 * streamRest):
		t.Error("the stream is still waited for")
	}
	talk.Close()
	<-ended
}
