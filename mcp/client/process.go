package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/stdio"
)

const (
	defaultStderr = 64 << 10
	defaultGrace  = 3 * time.Second
	// flushGrace is how long a server has to read what was said before its
	// input ends.
	flushGrace = time.Second
	// lingerGrace is how long others of its group may outlive the server.
	lingerGrace = 250 * time.Millisecond
	// lastWords is how long somebody may take to read what a dead server said.
	lastWords = 2 * time.Second
	// killGrace is how long a killed process may take to disappear.
	killGrace = 2 * time.Second
)

// A Command is a server to start. There is no shell: Args is the program and
// its arguments as they are. The server becomes the head of a process group of
// its own, which ends with it; who leaves that group is out of reach.
type Command struct {
	Args []string
	// Dir is where it runs; empty means here.
	Dir string
	// Env adds to the few variables that every server gets: NAME=value sets
	// one, NAME alone passes it on.
	Env []string
	// InheritEnv passes on everything.
	InheritEnv bool
	// Stderr gets a copy of the standard error, if set. What it does not take
	// in time, the server has to wait for.
	Stderr io.Writer
	// StderrBytes is how much of the end of it is kept; 0 means 64 KiB.
	StderrBytes int
	// RawLines has the lines of the standard output come as they are, the empty
	// ones too. It is for Dial and those who judge the server.
	RawLines bool
	// Grace is how long the server may take to end after the end of its input,
	// and again after SIGTERM; 0 means 3 seconds.
	Grace time.Duration
}

func (c Command) dial(ctx context.Context, _ Way, opts *Options, rec *recording) (transport.Line, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return c.start(opts.Limits.Message, rec)
}

func (Command) again() bool { return true }

// A Process is the line to a server that was started: its standard streams.
type Process struct {
	cmd    *exec.Cmd
	conn   *stdio.Conn
	stdin  *input
	stdout *os.File
	stderr *tail
	grace  time.Duration
	rec    *recording

	exited chan struct{} // closed when exit is known
	gone   chan struct{} // closed when nothing is left of it
	heard  chan struct{} // closed when its output was read to the end
	closed chan struct{} // closed by Close
	hurry  chan struct{} // closed when there is no more time
	once   struct{ heard, closed, hurry sync.Once }

	mu   sync.Mutex
	step Step
	at   time.Time // of step
	exit Exit
}

// A Step is how far the end of a process had to be helped.
type Step int

// The steps, gentlest first.
const (
	ByItself Step = iota
	EndOfInput
	Terminate
	Kill
)

func (s Step) String() string {
	return [...]string{"by itself", "end of input", "terminate", "kill"}[s]
}

// An Exit is how a process ended.
type Exit struct {
	Code   int    // -1 if a signal ended it
	Signal string // its name
	// After is the last step before it, and Took how long ago that was.
	After Step
	Took  time.Duration
	// Leftovers says that others of its group were still running, and had to be
	// killed.
	Leftovers bool
}

func (c Command) start(maxMessage int, rec *recording) (*Process, error) {
	if len(c.Args) == 0 || c.Args[0] == "" {
		return nil, errors.New("a command needs a program")
	}
	ours, theirs, err := pipes()
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", c.Args[0], err)
	}
	cmd := exec.Command(c.Args[0], c.Args[1:]...)
	cmd.Dir, cmd.Env = c.Dir, c.environ()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs[0], theirs[1], theirs[2]
	setGroup(cmd)
	err = cmd.Start()
	closeAll(theirs)
	if err != nil {
		closeAll(ours)
		return nil, fmt.Errorf("starting %s: %w", c.Args[0], err)
	}
	return c.attach(cmd, ours, maxMessage, rec), nil
}

// attach takes over a process that runs.
func (c Command) attach(cmd *exec.Cmd, ours [3]*os.File, maxMessage int, rec *recording) *Process {
	p := &Process{
		cmd: cmd, stdin: newInput(ours[0]), stdout: ours[1], grace: c.Grace, rec: rec,
		stderr: &tail{max: c.StderrBytes, tee: c.Stderr, line: rec.stderr},
		exited: make(chan struct{}), gone: make(chan struct{}), heard: make(chan struct{}),
		closed: make(chan struct{}), hurry: make(chan struct{}),
		at: time.Now(),
	}
	if p.stderr.max <= 0 {
		p.stderr.max = defaultStderr
	}
	if p.grace <= 0 {
		p.grace = defaultGrace
	}
	// The reader hides its Close: the output is read to its end even while the
	// input is closed.
	p.conn = stdio.New(struct{ io.Reader }{p.stdout}, p.stdin, stdio.Options{MaxMessage: maxMessage, Raw: c.RawLines})
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		_, _ = io.Copy(p.stderr, ours[2])
		p.stderr.finish()
	}()
	go p.wait(ours[2], drained)
	return p
}

// wait stays until nothing is left of the process.
func (p *Process) wait(stderr *os.File, drained <-chan struct{}) {
	defer close(p.gone)
	_ = p.cmd.Wait() // the state says it all
	p.mu.Lock()
	p.exit = exitOf(p.cmd.ProcessState)
	p.exit.After, p.exit.Took = p.step, time.Since(p.at)
	p.mu.Unlock()
	close(p.exited)

	leftovers := killLeftovers(p.cmd.Process.Pid)
	p.mu.Lock()
	p.exit.Leftovers = leftovers
	exit := p.exit
	p.mu.Unlock()
	p.rec.exit(exit)

	p.awaitReader()
	p.stdout.Close()
	select {
	case <-drained:
	case <-time.After(lingerGrace): // somebody who left the group has it open
	}
	stderr.Close()
	<-drained
	_ = p.conn.Close(ended)
}

// awaitReader gives whoever reads the output the time to hear its end.
func (p *Process) awaitReader() {
	timer := time.NewTimer(lastWords)
	defer timer.Stop()
	select {
	case <-p.heard:
		return
	case <-p.closed:
		timer.Reset(lingerGrace)
	case <-timer.C:
		return
	}
	select {
	case <-p.heard:
	case <-timer.C:
	}
}

// ended is a context without any time left.
var ended = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// Send implements transport.Line.
func (p *Process) Send(ctx context.Context, out transport.Outgoing) error {
	return p.conn.Write(ctx, out.Frame)
}

// SendRaw implements RawSender.
func (p *Process) SendRaw(ctx context.Context, b []byte) error { return p.stdin.write(ctx, b) }

// Assume implements transport.Line.
func (p *Process) Assume(*mcp.Revision) {}

// CancelsByContext implements transport.Line.
func (p *Process) CancelsByContext() bool { return false }

// Receive implements transport.Line. For a process that ended by itself it
// fails with a *ProcessError.
func (p *Process) Receive() ([]byte, error) {
	frame, err := p.conn.Read()
	if err == nil || errors.As(err, new(*transport.FrameError)) {
		return frame, err
	}
	p.once.heard.Do(func() { close(p.heard) })
	select {
	case <-p.closed:
		return nil, transport.ErrClosed
	default:
	}
	select {
	case <-p.closed:
		return nil, transport.ErrClosed
	case <-p.exited:
		<-p.gone // with the last of its standard error
		return nil, p.failure()
	case <-time.After(time.Second):
		return nil, io.EOF // it only closed its output
	}
}

func (p *Process) failure() error {
	exit, _ := p.Exit()
	return &ProcessError{ExitCode: exit.Code, Signal: exit.Signal, Stderr: p.Stderr()}
}

// Pid is the process id, and that of its group.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Stderr returns the end of what the server has written to its standard error.
func (p *Process) Stderr() string { return p.rec.redact(p.stderr.String()) }

// Exited is closed when the process has ended.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Exit returns how the process ended, and whether it did.
func (p *Process) Exit() (Exit, bool) {
	select {
	case <-p.exited:
	default:
		return Exit{}, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.exit, true
}
