package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	gosdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const token = "5c1f0e6f1a0d4a5e8c2b7d9e3f6a1b4c"

// A process is a running mcpworks.
type process struct {
	*exec.Cmd
	url   string
	lines chan string // of standard error, after the first ones

	mu  sync.Mutex
	all []string
}

// startWorks starts mcpworks serve on a free port and waits until it listens. What
// it says on standard error is kept.
func startWorks(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.CommandContext(t.Context(), os.Args[0], append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)}
	p.Env = append([]string{"RUN_AS_PROGRAM=" + program, "GORACE=atexit_sleep_ms=0", "TMPDIR=" + t.TempDir()}, env...)
	stderr, err := p.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	p.lines = make(chan string, 10000)
	go func() {
		defer close(p.lines)
		for scanner := bufio.NewScanner(stderr); scanner.Scan(); {
			p.mu.Lock()
			p.all = append(p.all, scanner.Text())
			p.mu.Unlock()
			p.lines <- scanner.Text()
		}
	}()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("standard error:\n%s", p.stderr())
		}
	})
	p.url = strings.TrimPrefix(p.line(t, "listening on "), "listening on ")
	return p
}

// line waits for a line that holds a text.
func (p *process) line(t *testing.T, text string) string {
	t.Helper()
	for line := range p.lines {
		if strings.Contains(line, text) {
			return line
		}
	}
	t.Fatalf("standard error ended without %q:\n%s", text, p.stderr())
	return ""
}

func (p *process) stderr() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.all, "\n")
}

// end sends SIGTERM and wants exit code 0.
func (p *process) end(t *testing.T) {
	t.Helper()
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.waited(t)
}

func (p *process) waited(t *testing.T) {
	t.Helper()
	for range p.lines { // to the end, before Wait closes the pipe
	}
	if err := p.Wait(); err != nil {
		t.Errorf("%v\n%s", err, p.stderr())
	}
}

// bearer sends the token with every request.
type bearer struct{}

func (bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+token)
	return http.DefaultTransport.RoundTrip(r)
}

var withToken = &http.Client{Transport: bearer{}}

func do(t *testing.T, client *http.Client, method, url, body string, header ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	content, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(content)
}

func connect(ctx context.Context, transport gosdk.Transport) (*gosdk.ClientSession, error) {
	return gosdk.NewClient(&gosdk.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, transport, nil)
}

// Without a cache root the context engine has a sample, which leaves nothing
// behind; with one, the caches that are there.
func TestContextServesTheSampleOrACacheRoot(t *testing.T) {
	temporary := t.TempDir()
	p := startWorks(t, []string{"TMPDIR=" + temporary})
	p.line(t, "context    "+p.url+"/context/mcp  (built-in sample)")
	status, answer := do(t, http.DefaultClient, "POST", p.url+"/api/tools/context.resolve",
		`{"cache":"sample","query":"how do I restore a backup?","budget":2000,"ranking":"bm25-v1"}`)
	if status != http.StatusOK || !strings.HasPrefix(answer, `{"success":true,"result":{"documents":[{"id":"`) || !strings.Contains(answer, `"ranking":"bm25-v1"`) {
		t.Errorf("REST: %d %.300s", status, answer)
	}
	session, err := connect(t.Context(), &gosdk.StreamableClientTransport{Endpoint: p.url + "/context/mcp"})
	if err != nil {
		t.Fatal(err)
	}
	listed, err := session.CallTool(t.Context(), &gosdk.CallToolParams{Name: "context.list_caches"})
	if err != nil || listed.Content[0].(*gosdk.TextContent).Text != `{"caches":[{"path":"sample","has_manifest":true}]}` {
		t.Errorf("list: %v, %v", listed, err)
	}
	session.Close()
	p.end(t)
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}

	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "handbook"), 0o755); err != nil {
		t.Fatal(err)
	}
	p = startWorks(t, nil, "--config", writeConfig(t, map[string]any{"context": map[string]any{"cache_root": root}}))
	status, answer = do(t, http.DefaultClient, "POST", p.url+"/api/tools/context.list_caches", "")
	if want := `{"success":true,"result":{"caches":[{"path":"handbook","has_manifest":false}]}}`; status != http.StatusOK || strings.TrimSpace(answer) != want {
		t.Errorf("REST: %d %s", status, answer)
	}
	p.end(t)
}

// A fresh machine: no configuration, no network, no token.
func TestStartsWithNothingAndAnswersFromTheSample(t *testing.T) {
	data := filepath.Join(t.TempDir(), "a", "b")
	p := startWorks(t, nil, "--data-dir", data)
	p.line(t, "judge      "+p.url+"/judge/mcp  (built-in sample)")
	if info, err := os.Stat(data); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("data directory: %v, %v", info, err)
	}
	status, page := do(t, http.DefaultClient, "GET", p.url+"/", "")
	if status != http.StatusOK || !strings.Contains(page, "built-in sample") || !strings.Contains(page, "resolve_problem") {
		t.Errorf("index: %d %s", status, page)
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		if status, body := do(t, http.DefaultClient, "GET", p.url+path, ""); status != http.StatusOK || body != `{"status":"ok"}` {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	status, answer := do(t, http.DefaultClient, "POST", p.url+"/api/tools/resolve_problem", `{"query":"leetcode:widest-gap"}`)
	if status != http.StatusOK || !strings.HasPrefix(answer, `{"success":true,"result":{"content":[{"type":"text","text":"# Widest Gap`) {
		t.Errorf("REST: %d %s", status, answer)
	}
	status, answer = do(t, http.DefaultClient, "POST", p.url+"/api/tools/encodePlantUML", `{"plantumlCode":"A -> B"}`, "Origin", "https://anywhere.example")
	if want := `{"success":true,"result":{"url":"https://www.plantuml.com/plantuml/svg/SrJGjLDm0W00","encoded":"SrJGjLDm0W00","format":"svg"}}`; status != http.StatusOK || strings.TrimSpace(answer) != want {
		t.Errorf("PlantUML: %d %s", status, answer)
	}
	p.end(t)
	if !strings.Contains(p.stderr(), "no backend is configured") {
		t.Error("the log does not tell of the sample")
	}
}

func TestGuardsHoldOnEveryFace(t *testing.T) {
	p := startWorks(t, []string{"MCPWORKS_TOKEN=" + token})
	for _, path := range []string{"/judge/mcp", "/judge/sse", "/plantuml/mcp", "/api/tools", "/metrics"} {
		if status, body := do(t, http.DefaultClient, "GET", p.url+path, ""); status != http.StatusUnauthorized {
			t.Errorf("BEAR-1 %s without token: %d %s", path, status, body)
		}
		if status, body := do(t, withToken, "GET", p.url+path, "", "Origin", "https://evil.example"); status != http.StatusForbidden {
			t.Errorf("HTTP-2 %s with a foreign origin: %d %s", path, status, body)
		}
	}
	for _, path := range []string{"/healthz", "/readyz", "/"} {
		if status, body := do(t, http.DefaultClient, "GET", p.url+path, ""); status != http.StatusOK || strings.Contains(body, "resolve_problem") {
			t.Errorf("BEAR-5 %s without token: %d %s", path, status, body)
		}
	}
	p.end(t)
	if strings.Contains(p.stderr(), token) {
		t.Error("the token is in the log")
	}
}

func TestSDKClientIsServedAndCounted(t *testing.T) {
	p := startWorks(t, []string{"MCPWORKS_TOKEN=" + token})
	for _, test := range []struct {
		name      string
		transport gosdk.Transport
	}{
		{"mcp", &gosdk.StreamableClientTransport{Endpoint: p.url + "/judge/mcp", HTTPClient: withToken}},
		{"sse", &gosdk.SSEClientTransport{Endpoint: p.url + "/judge/sse", HTTPClient: withToken}},
	} {
		session, err := connect(t.Context(), test.transport)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		tools, err := session.ListTools(t.Context(), nil)
		if err != nil || len(tools.Tools) != 5 {
			t.Errorf("%s: tools/list: %v, %v", test.name, tools, err)
		}
		for _, arguments := range []map[string]any{{"query": "leetcode:widest-gap"}, {"query": "leetcode:nothing-like-it"}} {
			if _, err := session.CallTool(t.Context(), &gosdk.CallToolParams{Name: "resolve_problem", Arguments: arguments}); err != nil {
				t.Errorf("%s: tools/call: %v", test.name, err)
			}
		}
		if err := session.Close(); err != nil {
			t.Errorf("%s: close: %v", test.name, err)
		}
	}
	_, metrics := do(t, withToken, "GET", p.url+"/metrics", "")
	for _, line := range []string{
		`mcpworks_requests_total{pack="judge",method="tools/call",target="resolve_problem",outcome="ok"} 2`,
		`mcpworks_requests_total{pack="judge",method="tools/call",target="resolve_problem",outcome="tool_error"} 2`,
		`mcpworks_requests_total{pack="judge",method="tools/list",target="",outcome="ok"} 2`,
		`mcpworks_errors_total{pack="judge",method="tools/call",code="tool_error"} 2`,
		`mcpworks_request_duration_seconds_count{pack="judge",method="tools/call",target="resolve_problem"} 4`,
		`mcpworks_requests_in_flight{pack="judge"} 0`,
	} {
		if !slices.Contains(strings.Split(metrics, "\n"), line) {
			t.Errorf("no line %s in\n%s", line, metrics)
		}
	}
	p.end(t)
	records := slices.DeleteFunc(strings.Split(p.stderr(), "\n"), func(line string) bool {
		return !strings.Contains(line, "msg=call") || !strings.Contains(line, "name=resolve_problem")
	})
	if len(records) != 4 || !strings.Contains(records[0], "principal=MCPWORKS_TOKEN") || !strings.Contains(records[0], "request_id=") {
		t.Errorf("SEC-10: audit records:\n%s", strings.Join(records, "\n"))
	}
	if strings.Contains(p.stderr(), "widest-gap") {
		t.Error("SEC-10: an argument is in the log")
	}
}

// The configuration file, with a token that it knows by hash only.
func TestConfigurationFile(t *testing.T) {
	const other = "0d1c2b3a49586776859403b2a1c0d9e8"
	file := writeConfig(t, map[string]any{
		"tokens": []any{
			map[string]any{"name": "me", "sha256": fmt.Sprintf("%x", sha256.Sum256([]byte(token)))},
			map[string]any{"name": "ci", "file": writeFile(t, other+"\n")},
		},
		"allowed_origins": []string{"https://app.example"},
	})
	p := startWorks(t, nil, "--config", file)
	if status, _ := do(t, withToken, "GET", p.url+"/api/tools", "", "Origin", "https://app.example"); status != http.StatusOK {
		t.Errorf("token by hash, allowed origin: %d", status)
	}
	if status, _ := do(t, http.DefaultClient, "GET", p.url+"/api/tools", "", "Authorization", "Bearer "+other); status != http.StatusOK {
		t.Errorf("token from a file: %d", status)
	}
	p.end(t)
	if strings.Contains(p.stderr(), token) || strings.Contains(p.stderr(), other) {
		t.Error("a token is in the log")
	}
}

func writeFile(t *testing.T, content string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func writeConfig(t *testing.T, config map[string]any) string {
	t.Helper()
	content, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	return writeFile(t, string(content))
}

// SIGTERM under load: calls in flight are answered on every face, streams that
// nobody waits for do not keep the process, and it ends with 0.
func TestCallsInFlightAreAnsweredAfterSIGTERM(t *testing.T) {
	arrived, release := make(chan struct{}, 100), make(chan struct{})
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-release
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":"1","source":"leetcode","title":"Slow","content":"Late."}`)
	}))
	defer backend.Close()
	p := startWorks(t, nil, "--config", writeConfig(t, map[string]any{"judge": map[string]any{"base_url": backend.URL}}))

	arguments := map[string]any{"source": "leetcode", "id": "1"}
	viaSDK := func(transport gosdk.Transport) func() error {
		session, err := connect(t.Context(), transport)
		if err != nil {
			t.Fatal(err)
		}
		return func() error {
			result, err := session.CallTool(t.Context(), &gosdk.CallToolParams{Name: "get_problem", Arguments: arguments})
			if err == nil && !strings.Contains(result.Content[0].(*gosdk.TextContent).Text, "Late.") {
				err = errors.New("wrong answer")
			}
			return err
		}
	}
	faces := map[string]func() error{
		"mcp": viaSDK(&gosdk.StreamableClientTransport{Endpoint: p.url + "/judge/mcp"}),
		"sse": oldClient(t, p.url, `{"name":"get_problem","arguments":{"source":"leetcode","id":"1"}}`, "Late."),
		"rest": func() error {
			resp, err := http.Post(p.url+"/api/tools/get_problem", "application/json", strings.NewReader(`{"source":"leetcode","id":"1"}`))
			if err != nil {
				return err
			}
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			if err == nil && !strings.Contains(string(body), "Late.") {
				err = fmt.Errorf("%d %s", resp.StatusCode, body)
			}
			return err
		},
	}
	const each = 8
	answers := make(chan error, each*len(faces))
	for name, ask := range faces {
		for range each {
			go func() {
				err := ask()
				if err != nil {
					err = fmt.Errorf("%s: %w", name, err)
				}
				answers <- err
			}()
		}
	}
	for range cap(answers) {
		<-arrived
	}
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.line(t, "shutting down")
	close(release)
	for range cap(answers) {
		if err := <-answers; err != nil {
			t.Error(err)
		}
	}
	p.waited(t)
}

func TestSecondSignalEndsTheProcessAtOnce(t *testing.T) {
	arrived, release := make(chan struct{}, 1), make(chan struct{})
	backend := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		arrived <- struct{}{}
		<-release
	}))
	defer backend.Close()
	defer close(release)
	p := startWorks(t, nil, "--config", writeConfig(t, map[string]any{"judge": map[string]any{"base_url": backend.URL}}))
	go func() {
		resp, err := http.Post(p.url+"/api/tools/get_problem", "application/json", strings.NewReader(`{"source":"leetcode","id":"1"}`))
		if err == nil {
			resp.Body.Close()
		}
	}()
	<-arrived
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.line(t, "shutting down")
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for range p.lines {
	}
	var ended *exec.ExitError
	if err := p.Wait(); !errors.As(err, &ended) || ended.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
		t.Errorf("ended with %v", err)
	}
}

// oldClient opens an HTTP+SSE stream by hand and returns a function that calls a
// tool on it. The SDK's client will not do here: when a stream ends it throws
// away the answers it has not yet looked at.
func oldClient(t *testing.T, url, params, want string) func() error {
	t.Helper()
	resp, err := http.Get(url + "/judge/sse")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	var mu sync.Mutex
	answers := map[string]chan string{"0": make(chan string, 1)}
	address := make(chan string, 1)
	go func() {
		for scanner := bufio.NewScanner(resp.Body); scanner.Scan(); {
			data, ok := strings.CutPrefix(scanner.Text(), "data: ")
			if !ok {
				continue
			}
			if strings.HasPrefix(data, "/") {
				address <- url + data
				continue
			}
			var answer struct{ ID json.Number }
			_ = json.Unmarshal([]byte(data), &answer)
			mu.Lock()
			answers[answer.ID.String()] <- data
			mu.Unlock()
		}
		mu.Lock()
		defer mu.Unlock()
		for _, waiting := range answers {
			close(waiting)
		}
	}()
	post := <-address
	send := func(message string) error {
		resp, err := http.Post(post, "application/json", strings.NewReader(message))
		if err == nil {
			resp.Body.Close()
		}
		return err
	}
	initialize := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"old","version":"1"}}}`
	if err := send(initialize); err != nil {
		t.Fatal(err)
	}
	<-answers["0"]
	if err := send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`); err != nil {
		t.Fatal(err)
	}
	return func() error {
		mu.Lock()
		id := fmt.Sprint(len(answers))
		answer := make(chan string, 1)
		answers[id] = answer
		mu.Unlock()
		if err := send(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":` + params + `}`); err != nil {
			return err
		}
		if got := <-answer; !strings.Contains(got, want) {
			return fmt.Errorf("answer %q", got)
		}
		return nil
	}
}
