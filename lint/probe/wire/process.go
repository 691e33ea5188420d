package wire

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp/client"
	"mcpworks/mcp/transport"
)

// endGrace is how long a process may take to end after the end of its input,
// and again after SIGTERM (A6.9). hastyGrace is for talks in which nobody looks
// at the end.
const (
	endGrace   = 5 * time.Second
	hastyGrace = time.Second
)

// A process carries frames as lines.
type process struct {
	t         *Talk
	p         *client.Process
	abandoned sync.Once
}

func (t *Talk) startProcess() (carrier, error) {
	command, err := t.s.commandOf()
	if err != nil {
		return nil, err
	}
	if command.RawLines, command.Grace = true, hastyGrace; t.opening.Phase == step.Main {
		command.Grace = endGrace
	}
	opts := t.s.opts.Client
	opts.Recorder, opts.Limits.Message = &stderrRecorder{t: t}, t.s.largestMessage()
	line, err := client.Dial(t.ctx, command, opts)
	if err != nil {
		return nil, err
	}
	p := &process{t: t, p: line.(*client.Process)}
	t.work.Go(p.read)
	return p, nil
}

// Terminate sends SIGTERM to the process and waits for its end.
func (t *Talk) Terminate() {
	p, ok := t.line.(*process)
	if !ok || t.Failed() {
		t.Outcome(lint.NotSent)
		return
	}
	p.p.Terminate()
	timer := time.NewTimer(endGrace)
	defer timer.Stop()
	select {
	case <-p.p.Exited():
		t.Outcome(lint.Done)
	case <-timer.C:
		t.Outcome(lint.Silent)
	case <-t.ctx.Done():
	}
}

// A server that writes more than this in one talk writes without end.
const (
	floodBytes = 256 << 20
	floodLines = 200_000
)

// read takes everything that comes until the process has closed its output.
func (p *process) read() {
	lines, bytes := 0, 0
	for {
		line, err := p.p.Receive()
		lines, bytes = lines+1, bytes+len(line)
		var long *transport.FrameError
		switch {
		case errors.As(err, &long):
			p.abandon(fmt.Sprintf("the server wrote a line of more than %d bytes", long.Limit))
			continue
		case err != nil:
			p.t.left(ending(err))
			return
		case lines > floodLines || bytes > floodBytes:
			p.abandon("the server floods its output")
			continue
		}
		p.t.add(lint.Event{Received: line})
		text, _ := p.t.lines.Add(line)
		p.t.deliver(text, nil)
	}
}

// abandon ends a process that is beyond talking to. What it still writes is read
// and dropped.
func (p *process) abandon(reason string) {
	p.abandoned.Do(func() {
		p.t.left(reason)
		p.t.work.Go(func() { _ = p.p.Close(done) })
	})
}

func ending(err error) string {
	var died *client.ProcessError
	if errors.As(err, &died) && died.Signal != "" {
		return "the server was ended by the signal " + died.Signal
	}
	if errors.As(err, &died) {
		return fmt.Sprintf("the server exited with status %d", died.ExitCode)
	}
	return "the server closed its output"
}

// done is a context without any time left.
var done = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

func (p *process) send(frame []byte) error {
	p.t.add(lint.Event{Sent: frame})
	ctx, cancel := context.WithTimeout(p.t.ctx, p.t.patience())
	defer cancel()
	if err := p.p.SendRaw(ctx, append(frame[:len(frame):len(frame)], '\n')); err != nil {
		if p.t.ctx.Err() == nil && ctx.Err() != nil {
			return errors.New("the server does not read its input")
		}
		return err
	}
	return nil
}

// sendRaw writes bytes as they are.
func (p *process) sendRaw(b []byte) error {
	p.t.add(lint.Event{Sent: b, Part: true})
	ctx, cancel := context.WithTimeout(p.t.ctx, p.t.patience())
	defer cancel()
	return p.p.SendRaw(ctx, b)
}

// close ends the input and waits; what has to be done after that is recorded
// with the exit.
func (p *process) close() {
	limit := 3 * endGrace
	if p.t.ctx.Err() != nil {
		limit = 0
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.t.ctx), limit)
	defer cancel()
	stop := context.AfterFunc(p.t.ctx, cancel)
	defer stop()
	if err := p.p.Close(ctx); err != nil {
		p.t.note(err.Error())
	}
}

// How much of the standard error of a talk is kept: its beginning.
const (
	stderrBytes = 32 << 10
	stderrLines = 1000
)

// A stderrRecorder records what the client sees of a process: its standard
// error and its exit.
type stderrRecorder struct {
	t           *Talk
	kept, lines int
}

// Record implements client.Recorder.
func (r *stderrRecorder) Record(e client.Event) {
	switch e.Kind {
	case client.Stderr:
		r.t.mu.Lock()
		r.t.record.StderrBytes += int64(len(e.Message)) + 1
		room := r.kept < stderrBytes && r.lines < stderrLines
		r.kept, r.lines = r.kept+len(e.Message)+1, r.lines+1
		r.t.mu.Unlock()
		if room {
			r.t.add(lint.Event{Stderr: string(e.Message)})
		}
	case client.Exited:
		r.t.add(lint.Event{Exit: &lint.Exit{
			Code: e.Exit.Code, Signal: e.Exit.Signal, After: e.Exit.After.String(), Took: e.Exit.Took, Leftovers: e.Exit.Leftovers,
		}})
	}
}
