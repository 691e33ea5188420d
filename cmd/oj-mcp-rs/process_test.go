package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"mcpworks/internal/mcptest"
)

// start runs the program against a backend and does the handshake.
func start(t *testing.T, backend http.HandlerFunc, args ...string) *mcptest.Process {
	t.Helper()
	s := httptest.NewServer(backend)
	t.Cleanup(s.Close)
	program, err := exec.LookPath("oj-mcp-rs")
	if err != nil {
		t.Fatal(err)
	}
	p := mcptest.Start(t, program, append([]string{"--base-url", s.URL}, args...)...)
	p.Send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"0"}}}`)
	wantReply(t, p, 0)
	return p
}

func sendCall(p mcptest.Peer, id int, problem string) {
	p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"get_problem","arguments":{"source":"x","id":%q}}}`, id, problem))
}

func wantReply(t *testing.T, p mcptest.Peer, id int) {
	t.Helper()
	line, err := p.Next(t.Context())
	if err != nil || !strings.HasPrefix(line, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":`, id)) {
		t.Fatalf("reply is %q, %v; want a result for %d", line, err, id)
	}
}

func wantExit(t *testing.T, p mcptest.Peer, code int) {
	t.Helper()
	if line, err := p.Next(t.Context()); err != io.EOF {
		t.Errorf("after the last reply there is %q, %v", line, err)
	}
	if got, err := p.Wait(t.Context()); err != nil || got != code {
		t.Errorf("exit code is %d, %v; want %d", got, err, code)
	}
}

// gate is a backend that keeps every request until it is opened.
type gate struct{ entered, open chan struct{} }

func newGate() gate { return gate{make(chan struct{}, 10), make(chan struct{})} }

func (g gate) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	g.entered <- struct{}{}
	<-g.open
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, `{"id":"1","title":"T"}`)
}

// Section 1: calls in flight at the end of input are answered.
func TestInvariant19CallInFlightAtEndOfInput(t *testing.T) {
	g := newGate()
	p := start(t, g.ServeHTTP)
	sendCall(p, 1, "a")
	sendCall(p, 2, "b")
	<-g.entered
	<-g.entered
	p.CloseInput()
	close(g.open)
	for range 2 {
		line, err := p.Next(t.Context())
		if err != nil || !strings.Contains(line, `# T\n`) {
			t.Fatalf("reply is %q, %v", line, err)
		}
	}
	wantExit(t, p, exitOK)
}

// A signal is a polite request: the call in flight is answered first.
func TestSignalInACall(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		t.Run(sig.String(), func(t *testing.T) {
			g := newGate()
			p := start(t, g.ServeHTTP)
			sendCall(p, 1, "a")
			<-g.entered
			if err := p.Signal(sig); err != nil {
				t.Fatal(err)
			}
			close(g.open)
			wantReply(t, p, 1)
			wantExit(t, p, exitOK)
		})
	}
}

func TestSignalWhenIdle(t *testing.T) {
	p := start(t, http.NotFound)
	if err := p.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	wantExit(t, p, exitOK)
}

// A second signal is not polite: the process ends, and the call with it.
func TestSecondSignalEndsTheProcess(t *testing.T) {
	g := newGate()
	gone := make(chan struct{})
	p := start(t, func(w http.ResponseWriter, r *http.Request) {
		g.entered <- struct{}{}
		<-r.Context().Done()
		close(gone)
	})
	sendCall(p, 1, "a")
	<-g.entered
	// How many it takes depends on when the first is noticed.
	ended, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		p.Wait(t.Context())
		cancel()
	}()
	for ended.Err() == nil {
		if p.Signal(syscall.SIGTERM) != nil {
			break
		}
		runtime.Gosched()
	}
	<-gone
	if code, err := p.Wait(t.Context()); err != nil || code == exitOK {
		t.Errorf("exit code is %d, %v", code, err)
	}
}

// Over real pipes as in memory.
func TestInvariant20RepliesDoNotWaitForEachOther(t *testing.T) {
	g := newGate()
	p := start(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/slow") {
			g.ServeHTTP(w, r)
			return
		}
		http.NotFound(w, r)
	})
	sendCall(p, 1, "slow")
	<-g.entered
	sendCall(p, 2, "fast")
	wantReply(t, p, 2)
	close(g.open)
	wantReply(t, p, 1)
	p.CloseInput()
	wantExit(t, p, exitOK)
}

// Sixteen endless bodies at once cost about sixteen times what is kept of one.
func TestInvariant8MemoryOfTheProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads the peak of memory from /proc")
	}
	const calls, most = 16, 160 << 20
	piece := []byte(strings.Repeat("x", 1<<20))
	p := start(t, func(w http.ResponseWriter, r *http.Request) {
		for {
			if _, err := w.Write(piece); err != nil {
				return
			}
		}
	})
	for id := range calls {
		sendCall(p, id+1, "endless")
	}
	for range calls {
		if line, err := p.Next(t.Context()); err != nil || !strings.Contains(line, `"isError":true`) {
			t.Fatalf("reply is %.200q, %v", line, err)
		}
	}
	if peak := peakMemory(t, p.Pid()); peak > most {
		t.Errorf("%d endless bodies took %d MiB", calls, peak>>20)
	}
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

// What libraries write through the standard logger obeys RUST_LOG and hides the
// token, too: a backend that speaks out of turn makes net/http complain.
func TestInvariant30LibrariesLogWithoutTheToken(t *testing.T) {
	const token = "s3cr3t-echoed-by-the-backend"
	t.Setenv("RUST_LOG", "debug")
	first := make(chan struct{}, 1)
	first <- struct{}{}
	p := start(t, func(w http.ResponseWriter, r *http.Request) {
		body := `{"id":"1","title":"T"}`
		select {
		case <-first:
		default:
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, body)
			return
		}
		conn, out, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		fmt.Fprintf(out, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		out.Flush()
		<-first // the reply has arrived
		fmt.Fprintf(out, "HTTP/1.1 200 OK\r\nX-Echo: %s\r\n\r\n", token)
		out.Flush()
		<-r.Context().Done()
	}, "--token", token)
	sendCall(p, 1, "1")
	wantReply(t, p, 1)
	first <- struct{}{}
	for id := 2; !strings.Contains(p.Stderr(), "Unsolicited") && id < 200_000; id++ {
		p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, id)) // time passes
		wantReply(t, p, id)
	}
	p.CloseInput()
	wantExit(t, p, 0)
	if log := p.Stderr(); !strings.Contains(log, "Unsolicited") || strings.Contains(log, token) {
		t.Errorf("the log is %s", log[:min(len(log), 2000)])
	}
}
