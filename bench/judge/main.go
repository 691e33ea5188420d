// Command judge measures what oj-mcp-rs adds to the backend it asks: the time
// to its first answer, the time per call over the bare HTTP request, and the
// memory it holds. The backend is the project's sample, in this process.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mcpworks/bench/internal/peers"
	"mcpworks/bench/internal/procfs"
	"mcpworks/packs/judge/sample"
)

// The promises, kept with -check.
const (
	maxFirstAnswer = 20 * time.Millisecond
	maxAdded       = 300 * time.Microsecond
	maxResident    = 20 << 20 // bytes, after the calls
)

const (
	initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"0"}}}` + "\n"
	call       = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_problem","arguments":{"source":"leetcode","id":"4021"}}}` + "\n"
)

func main() {
	calls := flag.Int("calls", 1000, "calls to make")
	starts := flag.Int("starts", 21, "times to start the program; the median counts")
	check := flag.Bool("check", false, "fail when a promise is not kept")
	flag.Parse()
	kept, err := measure(context.Background(), *calls, *starts)
	if err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(2)
	}
	if *check && !kept {
		os.Exit(1)
	}
}

func measure(ctx context.Context, calls, starts int) (kept bool, err error) {
	root, err := peers.Root(ctx)
	if err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp("", "bench-judge")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "oj-mcp-rs")
	build := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/oj-mcp-rs")
	build.Dir, build.Stderr = root, os.Stderr
	if err := build.Run(); err != nil {
		return false, err
	}
	backend := httptest.NewServer(sample.Handler(sample.Options{}))
	defer backend.Close()

	var first []time.Duration
	for range starts {
		s, err := start(ctx, program, backend.URL)
		if err != nil {
			return false, err
		}
		first = append(first, s.first)
		if err := s.stop(); err != nil {
			return false, err
		}
	}
	s, err := start(ctx, program, backend.URL)
	if err != nil {
		return false, err
	}
	bare, through, err := s.compare(backend.URL+"/api/v1/problems/leetcode/4021", calls)
	if err != nil {
		return false, err
	}
	resident, _ := procfs.Memory(s.cmd.Process.Pid)
	if err := s.stop(); err != nil {
		return false, err
	}

	added := median(through) - median(bare)
	kept = report("first answer to initialize", median(first), maxFirstAnswer)
	kept = report("added to one HTTP request", added, maxAdded) && kept
	fmt.Printf("%-28s %8.1f MB, at most %d MB\n", fmt.Sprintf("resident after %d calls", calls), float64(resident)/(1<<20), maxResident>>20)
	fmt.Printf("(bare request %v, through oj-mcp-rs %v, medians of %d)\n", median(bare), median(through), calls)
	return kept && resident <= maxResident, nil
}

func report(what string, took, most time.Duration) bool {
	fmt.Printf("%-28s %8.3f ms, at most %g ms\n", what, took.Seconds()*1000, most.Seconds()*1000)
	return took <= most
}

// A session is one running oj-mcp-rs after its handshake.
type session struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers *bufio.Reader
	first   time.Duration // from the start of the process to its first answer
}

func start(ctx context.Context, program, url string) (*session, error) {
	s := &session{cmd: exec.CommandContext(ctx, program, "--base-url", url)}
	s.cmd.Env = append(os.Environ(), "RUST_LOG=off")
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.answers = bufio.NewReaderSize(out, 1<<20)
	began := time.Now()
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	if _, err := s.exchange(initialize); err != nil {
		return nil, err
	}
	s.first = time.Since(began)
	return s, nil
}

func (s *session) exchange(line string) (answer []byte, err error) {
	if _, err := io.WriteString(s.in, line); err != nil {
		return nil, err
	}
	return s.answers.ReadSlice('\n')
}

// compare makes the bare request and the call in turn, so that both see the
// same machine.
func (s *session) compare(url string, calls int) (bare, through []time.Duration, err error) {
	for range calls {
		began := time.Now()
		response, err := http.Get(url)
		if err != nil {
			return nil, nil, err
		}
		if _, err := io.Copy(io.Discard, response.Body); err != nil {
			return nil, nil, err
		}
		response.Body.Close()
		bare = append(bare, time.Since(began))

		began = time.Now()
		answer, err := s.exchange(call)
		if err != nil {
			return nil, nil, err
		}
		through = append(through, time.Since(began))
		if !strings.Contains(string(answer), "# Widest Gap") {
			return nil, nil, fmt.Errorf("unexpected answer: %s", answer)
		}
	}
	return bare, through, nil
}

func (s *session) stop() error {
	s.in.Close()
	return s.cmd.Wait()
}

func median(times []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}
