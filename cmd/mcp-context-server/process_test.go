package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"mcpworks/internal/mcptest"
	"mcpworks/packs/contextengine"
)

// command is the program with a cache root.
func command(t *testing.T, root string, env ...string) *exec.Cmd {
	t.Helper()
	program, err := exec.LookPath("mcp-context-server")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program)
	cmd.Env = append(append(os.Environ(), "CONTEXT_CACHE_ROOT="+root), env...)
	return cmd
}

// start runs the program and does the handshake.
func start(t *testing.T, root string, env ...string) *mcptest.Process {
	t.Helper()
	p, err := mcptest.StartCommand(command(t, root, env...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	p.Send(initialize)
	wantPrefix(t, p, `{"jsonrpc":"2.0","id":0,"result":{"capabilities":`)
	return p
}

const (
	initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize"}`
	ping       = `{"jsonrpc":"2.0","id":"ping","method":"ping"}`
	pong       = `{"jsonrpc":"2.0","id":"ping","result":{}}`
	parseError = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`
)

// next returns the next line; the time limit is for tests that fail.
func next(t *testing.T, p mcptest.Peer) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	return p.Next(ctx)
}

func want(t *testing.T, p mcptest.Peer, line string) {
	t.Helper()
	if got, err := next(t, p); err != nil || got != line {
		t.Fatalf("answered %.300q, %v; want %s", got, err, line)
	}
}

func wantPrefix(t *testing.T, p mcptest.Peer, prefix string) string {
	t.Helper()
	got, err := next(t, p)
	if err != nil || !strings.HasPrefix(got, prefix) {
		t.Fatalf("answered %.300q, %v; want %s", got, err, prefix)
	}
	return got
}

func wantExit(t *testing.T, p mcptest.Peer, code int) {
	t.Helper()
	if line, err := next(t, p); err != io.EOF {
		t.Errorf("after the last answer there is %.300q, %v", line, err)
	}
	if got, err := p.Wait(t.Context()); err != nil || got != code {
		t.Errorf("exit code is %d, %v; want %d; standard error is %s", got, err, code, p.Stderr())
	}
}

// newRoot returns a cache root with a cache of so many documents.
func newRoot(t *testing.T, documents, size int) string {
	t.Helper()
	dir := t.TempDir()
	sources := filepath.Join(dir, "sources")
	if err := os.Mkdir(sources, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range documents {
		text := fmt.Sprintf("document %d ", i) + strings.Repeat("word ", size/5)
		if err := os.WriteFile(filepath.Join(sources, fmt.Sprintf("%05d.md", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, err := contextengine.Build(t.Context(), contextengine.BuildOptions{Sources: sources, Cache: filepath.Join(dir, "root", "cache")})
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "root")
}

func resolve(id int, query string, budget int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"context.resolve","arguments":{"cache":"cache","query":%q,"budget":%d}}}`, id, query, budget)
}

func TestLIM1LinesOfAMebibyte(t *testing.T) {
	p := start(t, t.TempDir())
	const head, tail = `{"jsonrpc":"2.0","id":"ping","method":"ping","x":"`, `"}`
	for _, end := range []string{"\n", "\r\n"} {
		for size, answer := range map[int]string{1_048_575: pong, 1_048_576: pong, 1_048_577: parseError} {
			p.SendRaw([]byte(head + strings.Repeat("x", size-len(head)-len(tail)) + tail + end))
			want(t, p, answer)
		}
	}
	p.CloseInput()
	wantExit(t, p, exitOK)
}

// A line costs what may be kept of it, however long it is.
func TestLIM3MemoryOfHugeLines(t *testing.T) {
	if runtime.GOOS != "linux" || testing.Short() {
		t.Skip("reads the peak of memory from /proc; not with the race detector, which needs more")
	}
	p := start(t, t.TempDir())
	for _, line := range []string{strings.Repeat("x", 100<<20), strings.Repeat(" ", 20<<20), strings.Repeat("[", 20<<20)} {
		p.Send(line)
		p.Send(ping)
		want(t, p, parseError)
		want(t, p, pong)
	}
	peak := peakMemory(t, p.Pid())
	t.Logf("the peak is %d KiB", peak>>10)
	if peak > 40<<20 {
		t.Errorf("huge lines took %d MiB", peak>>20)
	}
	p.CloseInput()
	wantExit(t, p, exitOK)
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

func TestRPC6GarbageBetweenGoodLines(t *testing.T) {
	p := start(t, t.TempDir())
	garbage := []string{"garbage", "{", "\xff\xfe\x00", "\x1b[31m", `"\ud800"`, strings.Repeat("{", 100_000), "GET / HTTP/1.1"}
	for range 20 {
		for _, line := range garbage {
			p.Send(line)
			p.Send("")
			p.Send(ping)
		}
	}
	for range 20 * len(garbage) {
		want(t, p, parseError)
		want(t, p, pong)
	}
	p.CloseInput()
	wantExit(t, p, exitOK)
}

// SRV-4: however much is logged, standard output is for the protocol.
func TestSRV4StandardOutputIsForMessagesOnly(t *testing.T) {
	p := start(t, newRoot(t, 3, 10), "CONTEXT_LOG=trace")
	lines := []string{"garbage", resolve(1, "word", 100), resolve(2, "word", -1), ping, `{"jsonrpc":"2.0","id":3,"method":"nothing"}`}
	for _, line := range lines {
		p.Send(line)
		got := wantPrefix(t, p, `{"jsonrpc":"2.0","id":`)
		if !json.Valid([]byte(got)) {
			t.Errorf("answered %s", got)
		}
	}
	p.CloseInput()
	wantExit(t, p, exitOK)
	if log := p.Stderr(); !strings.Contains(log, "code=invalid_budget") {
		t.Errorf("the log is %s", log)
	}
}

// A signal is a polite request: the call in hand is answered first.
func TestSignalInACall(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("sees the call at work in /proc")
	}
	const documents = 500
	root := newRoot(t, documents, 20_000)
	for _, sig := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		t.Run(sig.String(), func(t *testing.T) {
			p := start(t, root)
			before := bytesRead(t, p.Pid())
			p.Send(resolve(1, "document 7", 10_000))
			for bytesRead(t, p.Pid()) < before+1<<20 && t.Context().Err() == nil { // of 10 MB
				runtime.Gosched()
			}
			if err := p.Signal(sig); err != nil {
				t.Fatal(err)
			}
			line := wantPrefix(t, p, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"text":"{\"documents\":[`)
			if !strings.Contains(line, fmt.Sprintf(`\"documents_considered\":%d`, documents)) {
				t.Errorf("the answer ends with %s", line[max(0, len(line)-300):])
			}
			wantExit(t, p, exitOK)
		})
	}
}

// bytesRead is how much a process has read from anywhere.
func bytesRead(t *testing.T, pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid))
	if err != nil {
		t.Skip("cannot see what a process reads")
	}
	n, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestSignalWhenIdle(t *testing.T) {
	p := start(t, t.TempDir())
	if err := p.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	wantExit(t, p, exitOK)
}

// SRV-3: a client that does not listen any more is a failure.
func TestSRV3ClosedStandardOutput(t *testing.T) {
	cmd := command(t, t.TempDir())
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	_, _ = io.WriteString(stdin, initialize+"\n")
	if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	stdout.Close()
	_, _ = io.WriteString(stdin, ping+"\n")
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitError || !strings.HasSuffix(stderr.String(), "mcp-context-server: the connection to the client failed\n") {
		t.Errorf("ended with %v, standard error %q", cmd.ProcessState, stderr.String())
	}
}

// SRV-3: so is an input that cannot be read.
func TestSRV3UnreadableStandardInput(t *testing.T) {
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	cmd := command(t, t.TempDir())
	cmd.Stdin = dir
	var stdout strings.Builder
	cmd.Stdout = &stdout
	_ = cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != exitError || stdout.Len() > 0 {
		t.Errorf("ended with %v, standard output %q", cmd.ProcessState, stdout.String())
	}
}

// Ten thousand requests sent without reading are answered in order.
func TestRPC4ManyRequestsAtOnce(t *testing.T) {
	p := start(t, newRoot(t, 2, 10))
	const requests = 10_000
	var input strings.Builder
	for id := range requests {
		if id%10 == 0 {
			input.WriteString(resolve(id, "word", 0) + "\n")
		} else {
			fmt.Fprintf(&input, `{"jsonrpc":"2.0","id":%d,"method":"ping"}`+"\n", id)
		}
	}
	p.SendRaw([]byte(input.String()))
	p.CloseInput()
	for id := range requests {
		wantPrefix(t, p, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{`, id))
	}
	wantExit(t, p, exitOK)
}
