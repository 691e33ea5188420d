package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"mcpworks/packs/plantuml"
)

// A program is the real one, in a process of its own.
type program struct {
	*exec.Cmd
	url    string
	ended  chan struct{} // closed when it has
	err    error         // of Wait, after that
	mu     sync.Mutex
	stderr bytes.Buffer // after the first line
}

// start runs the program until the end of the test.
func start(t *testing.T, args ...string) *program {
	t.Helper()
	path, err := exec.LookPath("plantuml-mcp")
	if err != nil {
		t.Fatal(err)
	}
	p := &program{Cmd: exec.Command(path, append([]string{"--listen", "127.0.0.1:0"}, args...)...), ended: make(chan struct{})}
	pipe, err := p.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Process.Kill(); <-p.ended })
	lines := bufio.NewReader(pipe)
	first, readErr := lines.ReadString('\n')
	go func() {
		defer close(p.ended)
		for {
			line, err := lines.ReadString('\n')
			p.mu.Lock()
			p.stderr.WriteString(line)
			p.mu.Unlock()
			if err != nil {
				break
			}
		}
		p.err = p.Wait()
	}()
	url, ok := strings.CutPrefix(strings.TrimSpace(first), "listening on ")
	if !ok || readErr != nil {
		t.Fatalf("first line is %q, %v", first, readErr)
	}
	p.url = url
	return p
}

func (p *program) log() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stderr.String()
}

func (p *program) signal(t *testing.T, sig os.Signal) {
	t.Helper()
	if err := p.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
}

func (p *program) wantExit(t *testing.T, code int) {
	t.Helper()
	<-p.ended
	if got := p.ProcessState.ExitCode(); got != code {
		t.Errorf("exit code is %d, want %d: %s", got, code, p.log())
	}
}

const (
	toolPath   = "/api/tools/encodePlantUML"
	diagram    = `{"plantumlCode":"@startuml\nA --> B\n@enduml"}`
	encodedURL = "https://www.plantuml.com/plantuml/svg/SoWkIImgAStDuN9KqDMrKt3YSaZDIm7o0G00"
)

// post does what curl -d does.
func post(t *testing.T, url, body string) (status int, reply string) {
	t.Helper()
	resp, err := http.Post(url, "application/x-www-form-urlencoded", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

func TestEveryDoor(t *testing.T) {
	p := start(t)
	for path, want := range map[string]string{
		"/": "<h1>PlantUML encoder</h1>", "/api/tools": `{"tools":[`, "/healthz": `{"status":"ok"}`,
		"/mcp": `"Method not allowed."`, "/mcp/v1/encode-plantuml": "Only POST", "/else": "NOT_FOUND", "//api/tools": "NOT_FOUND",
	} {
		resp, err := http.Get(p.url + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || !strings.Contains(string(body), want) {
			t.Errorf("%s: %s %s", path, resp.Status, body)
		}
	}
	if status, body := post(t, p.url+toolPath, diagram); status != http.StatusOK || !strings.Contains(body, `"url":"`+encodedURL+`"`) {
		t.Errorf("%d %s", status, body)
	}
}

func TestInvariant15AfterARestart(t *testing.T) {
	var replies []string
	for range 2 {
		p := start(t)
		_, reply := post(t, p.url+toolPath, diagram)
		replies = append(replies, reply)
		p.signal(t, syscall.SIGTERM)
		p.wantExit(t, exitOK)
	}
	if replies[0] != replies[1] || !strings.Contains(replies[0], encodedURL) {
		t.Errorf("replies are %q", replies)
	}
}

func TestInvariant28LogOfTheProcess(t *testing.T) {
	for level, want := range map[string]int{"info": 2, "warn": 1, "error": 0, "off": 0} {
		p := start(t, "--log-level", level)
		resp, err := http.Get(p.url + "/api/tools")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		post(t, p.url+toolPath, diagram)
		post(t, p.url+toolPath, diagram+"Secret7")
		p.signal(t, syscall.SIGTERM)
		p.wantExit(t, exitOK)
		log := regexp.MustCompile(`.*msg="shutting down".*\n`).ReplaceAllString(p.log(), "")
		if strings.Count(log, "\n") != want || strings.Contains(log, "Secret7") || strings.Contains(log, "startuml") {
			t.Errorf("%s: %s", level, log)
		}
	}
}

func TestSignalWhenIdle(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		p := start(t)
		post(t, p.url+toolPath, diagram) // leaves an idle connection
		p.signal(t, sig)
		p.wantExit(t, exitOK)
	}
}

// A half is a request whose handler waits for the body.
type half struct {
	net.Conn
	reader *bufio.Reader
}

func begin(t *testing.T, p *program) half {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(30 * time.Second)) // for tests that fail
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", toolPath, len(diagram))
	h := half{conn, bufio.NewReader(conn)}
	// The server says so when its handler begins to read.
	for _, want := range []string{"HTTP/1.1 100 Continue\r\n", "\r\n"} {
		if line, err := h.reader.ReadString('\n'); line != want {
			t.Fatalf("%q, %v", line, err)
		}
	}
	return h
}

// A signal is a polite request: what is in flight is answered first, and
// nothing new is taken.
func TestSignalInARequest(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		p := start(t)
		request := begin(t, p)
		p.signal(t, sig)
		for {
			conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
			if err != nil {
				break // the signal was noticed
			}
			conn.Close()
		}
		if _, err := io.WriteString(request, diagram); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(request.reader, nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil || !strings.Contains(string(body), encodedURL) {
			t.Errorf("%s %s %v", resp.Status, body, err)
		}
		p.wantExit(t, exitOK)
	}
}

// A second one is not.
func TestSecondSignalEndsTheProcess(t *testing.T) {
	p := start(t)
	begin(t, p)
	for { // how many it takes depends on when the first is noticed
		if p.Process.Signal(syscall.SIGTERM) != nil {
			break
		}
		runtime.Gosched()
	}
	<-p.ended
	var exit *exec.ExitError
	if !errors.As(p.err, &exit) || exit.Exited() {
		t.Errorf("ended with %v, want the signal", p.err)
	}
}

func TestPortInUse(t *testing.T) {
	p := start(t)
	path, err := exec.LookPath("plantuml-mcp")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(path, "--listen", strings.TrimPrefix(p.url, "http://")).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitError || !strings.HasPrefix(string(out), "error: listen tcp") {
		t.Errorf("%v %s", err, out)
	}
}

// A sender that stops in the middle is not waited for.
func TestSlowSender(t *testing.T) {
	handler, err := newHandler("127.0.0.1:0", plantuml.Config{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(&hurried{w}, r)
	}))
	t.Cleanup(s.Close)
	request := begin(t, &program{url: s.URL})
	io.WriteString(request, diagram[:10])
	resp, err := http.ReadResponse(request.reader, nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusInternalServerError || !strings.Contains(string(body), "INTERNAL_ERROR") {
		t.Errorf("%s %s %v", resp.Status, body, err)
	}
	if _, err := request.reader.ReadByte(); err != io.EOF {
		t.Errorf("the connection is kept: %v", err)
	}
}

// hurried lives a hundred times as fast.
type hurried struct{ http.ResponseWriter }

func (h *hurried) SetReadDeadline(deadline time.Time) error {
	return http.NewResponseController(h.ResponseWriter).SetReadDeadline(time.Now().Add(time.Until(deadline) / 100))
}

// Sixteen endless bodies at once cost about sixteen times what is read of one.
func TestInvariant20MemoryOfTheProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads the peak of memory from /proc")
	}
	const calls, most = 16, 128 << 20
	p := start(t)
	var senders sync.WaitGroup
	for range calls {
		senders.Go(func() {
			resp, err := http.Post(p.url+toolPath, "application/json", io.LimitReader(spaces{}, 64<<20))
			if err != nil {
				return // it may be cut off before it looks for the answer
			}
			defer resp.Body.Close()
			if resp.StatusCode != http.StatusRequestEntityTooLarge {
				t.Errorf("status %s", resp.Status)
			}
		})
	}
	senders.Wait()
	if peak := peakMemory(t, p.Process.Pid); peak > most {
		t.Errorf("%d endless bodies took %d MiB", calls, peak>>20)
	}
}

type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func peakMemory(t *testing.T, pid int) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kib, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kib << 10
}
