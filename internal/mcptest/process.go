package mcptest

import (
	"context"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// Process is a server running as a child process.
type Process struct {
	*wire
	cmd    *exec.Cmd
	stdout *os.File
	stderr boundedBuffer
	ended  chan struct{} // closed when the process was waited for
	once   sync.Once
}

var _ Peer = (*Process)(nil)

// Start runs a server command for the duration of a test. What it wrote to its
// standard error is logged when the test fails.
func Start(t testing.TB, name string, args ...string) *Process {
	t.Helper()
	p, err := StartCommand(exec.Command(name, args...))
	if err != nil {
		t.Fatalf("start server: %v", err)
	}
	t.Cleanup(func() {
		p.Close()
		if s := p.Stderr(); t.Failed() && s != "" {
			t.Logf("standard error of %s:\n%s", name, s)
		}
	})
	return p
}

// StartCommand starts cmd, whose standard streams must not be set. The caller
// calls Close.
func StartCommand(cmd *exec.Cmd) (*Process, error) {
	p := &Process{cmd: cmd, ended: make(chan struct{})}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	// Not StdoutPipe: that one is closed by Wait, and the end of the process
	// has to be noticed while output is still to be read.
	stdout, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout = w
	cmd.Stderr = &p.stderr
	cmd.WaitDelay = 2 * time.Second // a grandchild may hold standard error
	err = cmd.Start()
	w.Close()
	if err != nil {
		stdout.Close()
		stdin.Close()
		return nil, err
	}
	p.stdout = stdout
	p.wire = newWire(stdin, stdout)
	go func() {
		_ = cmd.Wait() // the outcome is in ProcessState
		close(p.ended)
	}()
	return p, nil
}

// Pid returns the process id.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

func (p *Process) Signal(sig os.Signal) error { return p.cmd.Process.Signal(sig) }

func (p *Process) Wait(ctx context.Context) (int, error) {
	select {
	case <-p.ended:
		return p.cmd.ProcessState.ExitCode(), nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func (p *Process) Stderr() string { return p.stderr.String() }

func (p *Process) Close() {
	p.once.Do(func() {
		_ = p.cmd.Process.Kill() // it may have ended by itself
		<-p.ended
		p.CloseInput()
		p.in.Close()
		p.stdout.Close()
		<-p.writing
		<-p.reading
	})
}

const maxStderr = 64 << 10

// boundedBuffer keeps the first maxStderr bytes and drops the rest.
type boundedBuffer struct {
	mu sync.Mutex
	b  []byte
}

func (b *boundedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.b = append(b.b, p[:min(len(p), maxStderr-len(b.b))]...)
	return len(p), nil
}

func (b *boundedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return string(b.b)
}
