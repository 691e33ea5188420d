package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"mcpworks/internal/cmdline"
	"mcpworks/internal/rawjson"
	"mcpworks/internal/secret"
	"mcpworks/mcp/client"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

const rawHelp = `Sends the lines of standard input as they are, and prints everything received, with times.

Usage: mcplint raw [OPTIONS] TARGET [ARGUMENTS]

Examples:
  echo '{"jsonrpc":"2.0","id":"a","method":"tools/list"}' | mcplint raw --protocol legacy ./server.py
  printf 'no JSON\n' | mcplint raw --no-init ./server.py
  mcplint raw --format json https://example.com/mcp < requests.jsonl

The session is opened first; with --no-init nothing is sent but the lines. Nothing that the server asks is answered.
After the last line, mcplint waits for the answers to all requests that have an id, and a moment for anything else.
Over HTTP every line is a POST, sent when the one before was answered or after a second. With --format json every
message is a line as in a transcript.

      --no-init              Do not open a session
` + targetHelp + `
Without --max-time there is no limit for the whole command.
`

func rawVerb() verb {
	v := verb{Verb: cmdline.Verb{Name: "raw", Help: rawHelp, Target: true, Options: []cmdline.Option{{Name: optNoInit}}}, streams: true}
	v.run = func(ctx context.Context, c *call) ([]byte, error) {
		return v.prepared(ctx, c, func(ctx context.Context, t *talk) ([]byte, error) {
			return nil, t.diagnose(ctx, t.raw(ctx))
		})
	}
	return v
}

const (
	// quietTime is how long there must be silence at the end.
	quietTime = 300 * time.Millisecond
	// patience is how long a line waits over HTTP for the one before it.
	patience = time.Second
	// maxLine is how long a line of input may be.
	maxLine = 64 << 20
)

// A tap is a line that shows what passes. While it is detached, what it receives
// goes nowhere else.
type tap struct {
	transport.Line
	begin    time.Time
	record   client.Recorder // is told all
	received func(client.Event)
	redactor *secret.Redactor
	detached atomic.Bool

	mu      sync.Mutex
	waiting map[jsonrpc.ID]bool // requests of ours without an answer
	heard   time.Time           // when something was last received, or sent
	lost    error               // of writing the output
}

func (p *tap) event(kind client.Kind, message []byte, note string) {
	e := client.Event{At: time.Since(p.begin), Kind: kind, Message: p.redactor.Bytes(bytes.Clone(message)), Note: note}
	p.record.Record(e)
	if kind == client.Received {
		p.received(e)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heard = time.Now()
}

// Send implements transport.Line.
func (p *tap) Send(ctx context.Context, out transport.Outgoing) error {
	p.event(client.Sent, out.Frame, "")
	return p.Line.Send(ctx, out)
}

// Receive implements transport.Line.
func (p *tap) Receive() ([]byte, error) {
	for {
		frame, err := p.Line.Receive()
		if err == nil {
			p.event(client.Received, frame, "")
			p.answered(frame)
		}
		if err != nil || !p.detached.Load() {
			return frame, err
		}
	}
}

func (p *tap) answered(frame []byte) {
	if jsonrpc.Check(frame, rawjson.Limits{Depth: maxNesting}) != nil {
		return
	}
	messages, ok := jsonrpc.Batch(frame)
	if !ok {
		messages = [][]byte{frame}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, message := range messages {
		if id, ok := jsonrpc.ParseID(rawjson.Member(message, "id")); ok && rawjson.Member(message, "method") == nil {
			delete(p.waiting, id)
		}
	}
}

// state says how many requests wait, and how long it has been quiet.
func (p *tap) state() (waiting int, quiet time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.waiting), time.Since(p.heard)
}

func (t *talk) raw(ctx context.Context) error {
	p := &tap{
		begin: time.Now(), heard: time.Now(), record: t.watch,
		redactor: secret.NewRedactor(t.hidden.all()...), waiting: map[jsonrpc.ID]bool{},
	}
	p.received = t.rawOutput(p)
	ended, why, err := t.openRaw(ctx, p)
	if err != nil {
		return err
	}
	p.detached.Store(true)
	err = t.converse(ctx, p, ended)
	if errors.Is(err, errEnded) {
		err = why()
	}
	t.closeRaw(ctx, p, err)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lost != nil {
		return unwritten(p.lost)
	}
	return err
}

// errEnded is for a server that ended the conversation before it was over.
var errEnded = errors.New("the server ended the conversation")

// converse sends everything and waits for the answers.
func (t *talk) converse(ctx context.Context, p *tap, ended <-chan struct{}) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	sent := make(chan error, 1)
	go func() { sent <- p.sendAll(ctx, t.stdin) }()
	select {
	case err := <-sent:
		if err == nil {
			return p.drain(ctx, ended, t.Duration(optTimeout, defaultTimeout))
		}
		select {
		case <-ended: // that is why it could not be sent
			return errEnded
		case <-time.After(patience):
			return err
		}
	case <-ended:
		return errEnded
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// rawOutput writes what is received in the format that is wanted.
func (t *talk) rawOutput(p *tap) func(client.Event) {
	out := &lostWriter{w: t.out}
	lines := client.JSONLines(out)
	return func(e client.Event) {
		if t.json() {
			lines.Record(e)
		} else {
			fmt.Fprintln(out, traced(e))
		}
		if err := out.failed(); err != nil {
			p.mu.Lock()
			p.lost = err
			p.mu.Unlock()
		}
	}
}

// openRaw opens the line, and a session on it unless none is wanted. ended is
// closed when nothing more comes, and why then says why.
func (t *talk) openRaw(ctx context.Context, p *tap) (ended <-chan struct{}, why func() error, err error) {
	dialing := t.opts
	ways := []client.Way{t.opts.Way}
	if t.target.words == nil && t.opts.Way == client.AnyWay {
		ways = []client.Way{client.Streamable, client.SSE}
	}
	dial := func(ctx context.Context) (transport.Line, error) {
		var err error
		p.Line, err = client.Dial(ctx, t.target.Target, dialing)
		return p, err
	}
	if t.Has(optNoInit) {
		dialing.Way = ways[0]
		ctx, cancel := context.WithTimeoutCause(ctx, t.opts.Timeouts.Open, &client.TimeoutError{Method: "opening", After: t.opts.Timeouts.Open})
		defer cancel()
		if _, err := dial(ctx); err != nil {
			return nil, nil, err
		}
		if t.opts.Revision != nil {
			p.Assume(t.opts.Revision)
		}
		p.detached.Store(true)
		done, err := make(chan struct{}), error(nil)
		go func() {
			defer close(done)
			_, err = p.Receive()
		}()
		return done, func() error { return err }, nil
	}
	session := t.opts
	session.Recorder = nil // the tap tells
	var first error
	for _, way := range ways {
		dialing.Way = way
		if t.Session, err = client.Connect(ctx, client.DialFunc(dial), session); err == nil {
			return t.Done(), t.Err, nil
		}
		t.Session = nil
		if first == nil {
			first = err
		}
		if status := new(transport.StatusError); !errors.As(err, &status) || errors.Is(err, client.ErrUnauthorized) || status.Status/100 != 4 {
			break
		}
	}
	return nil, nil, first
}

func (t *talk) closeRaw(ctx context.Context, p *tap, failed error) {
	if t.Session != nil {
		t.close(ctx, failed)
		return
	}
	ctx, cancel := closing(ctx, failed)
	defer cancel()
	_ = p.Line.Close(ctx)
}

// sendAll sends the lines of the input.
func (p *tap) sendAll(ctx context.Context, input io.Reader) error {
	lines := bufio.NewScanner(input)
	lines.Buffer(nil, maxLine)
	for lines.Scan() && ctx.Err() == nil {
		if err := p.sendLine(ctx, bytes.Clone(lines.Bytes())); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return &failure{exit: exitUsage, err: fmt.Errorf("standard input: %w", err)}
	}
	return context.Cause(ctx)
}

func (p *tap) sendLine(ctx context.Context, line []byte) error {
	out := transport.Outgoing{Frame: line}
	if rawjson.Check(line, rawjson.Limits{Depth: maxNesting}) == nil {
		out.Method, _ = rawjson.String(rawjson.Member(line, "method"))
		out.ID, _ = jsonrpc.ParseID(rawjson.Member(line, "id"))
		params := rawjson.Member(line, "params")
		if out.Name, _ = rawjson.String(rawjson.Member(params, "name")); out.Name == "" {
			out.Name, _ = rawjson.String(rawjson.Member(params, "uri"))
		}
	}
	if out.IsRequest() {
		p.mu.Lock()
		p.waiting[out.ID] = true
		p.mu.Unlock()
	}
	if rude, ok := p.Line.(client.RawSender); ok {
		p.event(client.Sent, line, "")
		return rude.SendRaw(ctx, append(line, '\n'))
	}
	answered := make(chan error, 1)
	go func() { answered <- p.post(ctx, out) }()
	select {
	case err := <-answered:
		return err
	case <-time.After(patience):
		return nil
	}
}

// post sends a line over HTTP, where a refusal is the answer.
func (p *tap) post(ctx context.Context, out transport.Outgoing) error {
	err := p.Send(ctx, out)
	var status *transport.StatusError
	var content *transport.ContentError
	switch {
	case errors.As(err, &status):
		p.event(client.Received, status.Body, statusText(status.Status))
	case errors.As(err, &content):
		p.event(client.Received, content.Body, "content type "+content.Type)
	default:
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.waiting, out.ID)
	return nil
}

// drain waits until all requests are answered and nothing more comes.
func (p *tap) drain(ctx context.Context, ended <-chan struct{}, limit time.Duration) error {
	deadline := time.Now().Add(limit)
	tick := time.NewTicker(quietTime / 10)
	defer tick.Stop()
	for {
		waiting, quiet := p.state()
		switch {
		case waiting == 0 && quiet >= quietTime:
			return nil
		case waiting > 0 && time.Now().After(deadline):
			return &failure{
				exit: exitUnreachable,
				err:  fmt.Errorf("the server did not answer %d of the requests within %v", waiting, limit),
				hint: optTimeout + " DUR waits longer",
			}
		}
		select {
		case <-ended:
			if waiting > 0 {
				return errEnded
			}
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
	}
}
