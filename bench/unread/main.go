// Command unread finds out what a stdio server does when its output is not
// read:
//
//	go run ./bench/unread [flags] [peer…]
//	go run ./bench/unread [flags] -- command [argument…]
//
// It sends echo calls without reading until the server stops reading for two
// seconds or all are sent, reports the server's memory and, for Go peers,
// goroutines, then reads everything and checks that each call that was
// accepted is answered exactly once. Exit code: 0 when all were, 1 when not,
// 2 when a server could not be started.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"mcpworks/bench/internal/peers"
	"mcpworks/bench/internal/procfs"
	"mcpworks/bench/internal/stats"
)

var (
	calls     = flag.Int("calls", 50_000, "echo calls to send at most")
	textSize  = flag.Int("size", 100, "`bytes` of text in each call")
	blocked   = flag.Duration("blocked", 2*time.Second, "how long the server may refuse input before sending stops")
	maxMemory = flag.Int64("memory", 2048, "stop sending when the server holds this many `MB`")
	drain     = flag.Duration("drain", 30*time.Second, "time to read all answers and see the server end")
)

func main() {
	flag.Parse()
	ok, err := runAll(flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "unread:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// runAll returns false when a server failed.
func runAll(args []string) (bool, error) {
	dir, err := os.MkdirTemp("", "bench-unread-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	commands, err := choose(args, dir)
	if err != nil {
		return false, err
	}
	ok := true
	for _, c := range commands {
		r, err := run(c.argv)
		if r == nil {
			return false, fmt.Errorf("%s: %w", c.name, err)
		}
		ok = ok && err == nil
		fmt.Printf("%s: %s\n", c.name, r.text(err))
	}
	return ok, nil
}

type command struct {
	name string
	argv []string
}

// choose takes names of peers, all by default, or a command after --. Peers
// are built into dir.
func choose(args []string, dir string) ([]command, error) {
	if len(args) > 0 && os.Args[len(os.Args)-len(args)-1] == "--" {
		return []command{{args[0], args}}, nil
	}
	if len(args) == 0 {
		args = peers.Names
	}
	ctx := context.Background()
	root, err := peers.Root(ctx)
	if err != nil {
		return nil, err
	}
	var all []command
	for _, name := range args {
		argv, err := peers.Prepare(ctx, root, dir, name)
		if errors.Is(err, peers.ErrUnavailable) {
			fmt.Printf("skipped: %s: %v\n", name, err)
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, command{name, argv})
	}
	return all, nil
}

type result struct {
	accepted     int // calls written in full
	stopped      string
	before, held int64 // resident memory
	goroutines   int   // most seen, 0 if not told
	answered     int
}

func (r *result) text(err error) string {
	s := fmt.Sprintf("%d calls accepted unread (%s), memory %.1f MB, before %.1f MB", r.accepted, r.stopped,
		float64(r.held)/1e6, float64(r.before)/1e6)
	if r.goroutines > 0 {
		s += fmt.Sprintf(", %d goroutines", r.goroutines)
	}
	if err != nil {
		return fmt.Sprintf("%s; FAILED after %d answers: %v", s, r.answered, err)
	}
	return s + fmt.Sprintf("; then %d answered exactly once", r.answered)
}

// run returns a nil result if there was nothing to load.
func run(argv []string) (*result, error) {
	s, err := start(argv)
	if err != nil {
		return nil, err
	}
	defer s.kill()
	if err := s.handshake(); err != nil {
		return nil, fmt.Errorf("handshake: %w", err)
	}
	r := &result{}
	r.before, _ = procfs.Memory(s.cmd.Process.Pid)
	rest, err := s.sendAll(r)
	if err != nil {
		return r, err
	}
	if r.stopped == "all sent" {
		time.Sleep(500 * time.Millisecond) // let it take in what it will
	}
	r.held, _ = procfs.Memory(s.cmd.Process.Pid)
	r.goroutines = s.goroutines.most()
	return r, s.readAll(r, rest)
}

type server struct {
	cmd        *exec.Cmd
	in, out    *os.File
	lines      *bufio.Reader
	goroutines statsReader
}

func start(argv []string) (*server, error) {
	s := &server{cmd: exec.Command(argv[0], argv[1:]...)}
	s.cmd.Env = append(os.Environ(), stats.Variable+"=1")
	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = inR, outW, &s.goroutines
	s.in, s.out, s.lines = inW, outR, bufio.NewReaderSize(outR, 64<<10)
	err = s.cmd.Start()
	inR.Close()
	outW.Close()
	return s, err
}

func (s *server) kill() {
	_ = s.cmd.Process.Kill() // it may have ended by itself
	_ = s.cmd.Wait()
	s.in.Close()
	s.out.Close()
}

func (s *server) handshake() error {
	if err := s.out.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		return err
	}
	_, err := io.WriteString(s.in, `{"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-06-18",`+
		`"capabilities":{},"clientInfo":{"name":"unread","version":"1"}}}`+"\n")
	if err != nil {
		return err
	}
	line, err := s.lines.ReadString('\n')
	if err != nil {
		return err
	}
	if !strings.Contains(line, `"protocolVersion"`) {
		return fmt.Errorf("unexpected answer %.200s", line)
	}
	_, err = io.WriteString(s.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	return err
}

// sendAll sends calls until the server takes no more. It returns what is left
// of a call that was taken in part.
func (s *server) sendAll(r *result) (rest string, err error) {
	filler := strings.Repeat("x", *textSize)
	for r.accepted < *calls {
		if r.accepted%500 == 0 {
			if now, _ := procfs.Memory(s.cmd.Process.Pid); now > *maxMemory*1e6 {
				r.stopped = "memory limit"
				return "", nil
			}
		}
		line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{"text":"%d-%s"}}}`+"\n",
			r.accepted, r.accepted, filler)
		if err := s.in.SetWriteDeadline(time.Now().Add(*blocked)); err != nil {
			return "", err
		}
		n, err := s.in.WriteString(line)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			r.stopped = "input refused"
			if n == 0 {
				return "", nil
			}
			return line[n:], nil
		}
		if err != nil {
			return "", fmt.Errorf("send: %w", err)
		}
		r.accepted++
	}
	r.stopped = "all sent"
	return "", nil
}

// readAll sends the rest of the call that was cut and reads until every call
// is answered, then ends the server's input and wants it to say nothing more.
func (s *server) readAll(r *result, rest string) error {
	want := r.accepted
	if rest != "" {
		want++ // the call that was cut
	}
	written := make(chan error, 1)
	go func() {
		err := s.in.SetWriteDeadline(time.Now().Add(*drain))
		if err == nil {
			_, err = io.WriteString(s.in, rest)
		}
		written <- err
	}()
	if err := s.out.SetReadDeadline(time.Now().Add(*drain)); err != nil {
		return err
	}
	seen := make(map[int]bool, want)
	for len(seen) < want {
		line, err := s.lines.ReadBytes('\n')
		if err != nil {
			return fmt.Errorf("%d of %d calls were never answered: %w", want-len(seen), want, err)
		}
		if err := check(line, seen); err != nil {
			return err
		}
		r.answered = len(seen)
	}
	if err := <-written; err != nil {
		return fmt.Errorf("send the rest: %w", err)
	}
	s.in.Close()
	if line, _ := s.lines.ReadString('\n'); line != "" {
		return fmt.Errorf("unasked output %.200s", line)
	}
	return nil
}

func check(line []byte, seen map[int]bool) error {
	var m struct {
		ID     int
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal(line, &m); err != nil || len(m.Result.Content) != 1 {
		return fmt.Errorf("unexpected answer %.200s", line)
	}
	if n, _, _ := strings.Cut(m.Result.Content[0].Text, "-"); n != strconv.Itoa(m.ID) {
		return fmt.Errorf("answer with another call's text: %.200s", line)
	}
	if seen[m.ID] {
		return fmt.Errorf("call %d answered twice", m.ID)
	}
	seen[m.ID] = true
	return nil
}

// statsReader picks the number of goroutines from standard error.
type statsReader struct {
	mu   sync.Mutex
	last string // beginning of a line
	max  int
}

func (r *statsReader) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	lines := strings.Split(r.last+string(p), "\n")
	r.last = lines[len(lines)-1]
	for _, line := range lines[:len(lines)-1] {
		if n, ok := strings.CutPrefix(line, stats.Prefix); ok {
			count, _ := strconv.Atoi(n)
			r.max = max(r.max, count)
		}
	}
	return len(p), nil
}

func (r *statsReader) most() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.max
}
