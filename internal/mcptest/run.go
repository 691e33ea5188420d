package mcptest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// A Verdict says how a probe went.
type Verdict string

const (
	Passed        Verdict = "passed"
	Failed        Verdict = "failed" // a wrong answer; the session survived
	Lost          Verdict = "lost"   // an answer that never came; the session survived
	Died          Verdict = "died"   // the server ended or closed its output
	Wedged        Verdict = "wedged" // the server runs but answers no more, or does not end
	NotApplicable Verdict = "n/a"    // the server does not offer the tools
)

// An Outcome is what one probe found.
type Outcome struct {
	Probe   Probe
	Verdict Verdict
	Detail  string // empty if passed
	Lost    bool   // an expected answer never came, whatever the verdict
}

// exitLimit is the time a server has to end after its input did (STD-5).
const exitLimit = 5 * time.Second

// RunProbes runs every probe against a fresh peer, as subtests in parallel.
// The server is expected to offer the tools echo {text: string, required},
// add {a, b: integer, required}, slow {ms: integer} which answers after that
// many milliseconds, and panic {} whose handler panics.
func RunProbes(t *testing.T, start func(t *testing.T) Peer) {
	probes, err := Probes()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range probes {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			if o := p.Run(t.Context(), start(t), 10*time.Second); o.Verdict != Passed {
				t.Errorf("%s (%s): %s", o.Verdict, o.Probe.Cites, o.Detail)
			}
		})
	}
}

// Run sends the probe to a fresh peer, waiting at most patience for each
// answer. It leaves the peer to the caller, in whatever state it is.
func (p Probe) Run(ctx context.Context, peer Peer, patience time.Duration) Outcome {
	r := &runner{ctx: ctx, peer: peer, patience: patience}
	err := r.open(p.Session)
	for i := 0; err == nil && i < len(p.steps); {
		n := 1
		if p.steps[i].verb == "<" { // neighbours may be answered in any order
			for i+n < len(p.steps) && p.steps[i+n].verb == "<" {
				n++
			}
		}
		if err = r.step(p.steps[i : i+n]); err != nil {
			err = fmt.Errorf("%s: %w", p.steps[i].where, err)
		}
		i += n
	}
	o := Outcome{Probe: p, Verdict: Passed}
	if err != nil {
		o.Lost = errors.Is(err, errLost) || errors.Is(err, errDied) && r.expecting
		o.Verdict, o.Detail = r.verdict(err), err.Error()
	}
	return o
}

var (
	errLost   = errors.New("no answer")
	errDied   = errors.New("the server ended")
	errWedged = errors.New("the server is stuck")
)

type runner struct {
	ctx       context.Context
	peer      Peer
	patience  time.Duration
	pending   []message // read by a fence, not yet looked at
	pings     int
	session   bool // handshake done, tools may be called
	closed    bool // input closed or signal sent: an end is expected
	expecting bool // inside an expectation
}

func (r *runner) open(version string) error {
	if version == "none" {
		return nil
	}
	r.peer.Send(`{"jsonrpc":"2.0","id":"open","method":"initialize","params":` + initializeParams(version) + `}`)
	m, err := r.next(r.patience)
	if err != nil {
		return fmt.Errorf("handshake: %w", err)
	}
	if m.fields["result"] == nil {
		return fmt.Errorf("handshake refused: %s", clip(m.raw))
	}
	r.peer.Send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	r.session = true
	return nil
}

func (r *runner) step(steps []step) error {
	s := steps[0]
	switch s.verb {
	case ">":
		r.peer.Send(s.text)
	case ">>":
		r.peer.SendRaw([]byte(s.text))
	case "<":
		return r.expectAll(steps)
	case "fence":
		return r.fence()
	case "silence":
		if err := r.fence(); err != nil {
			return err
		}
		return r.silence(s.wait)
	case "alive":
		return r.alive()
	case "close":
		r.closed = true
		r.peer.CloseInput()
	case "signal":
		r.closed = true
		return r.peer.Signal(syscall.SIGTERM)
	case "exit":
		return r.exit(s.code)
	}
	return nil
}

// next returns the next response. Notifications of the server are skipped; a
// request is an error since no probe offers a client capability.
func (r *runner) next(patience time.Duration) (message, error) {
	if len(r.pending) > 0 {
		m := r.pending[0]
		r.pending = r.pending[1:]
		return m, nil
	}
	return r.read(patience)
}

func (r *runner) read(patience time.Duration) (message, error) {
	ctx, cancel := context.WithTimeout(r.ctx, patience)
	defer cancel()
	for {
		line, err := r.peer.Next(ctx)
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			return message{}, errLost
		case errors.Is(err, io.EOF):
			return message{}, errDied
		case err != nil:
			return message{}, fmt.Errorf("read output: %w: %s", err, clip(line))
		}
		all, err := parseMessages(line)
		if err != nil {
			return message{}, err
		}
		all = slices.DeleteFunc(all, message.notification)
		if len(all) == 0 {
			continue
		}
		if i := slices.IndexFunc(all, message.request); i >= 0 {
			return message{}, fmt.Errorf("the server asks: %s", clip(all[i].raw))
		}
		r.pending = append(r.pending, all[1:]...)
		return all[0], nil
	}
}

// expectAll wants one message for each step, in any order, and no other.
func (r *runner) expectAll(steps []step) error {
	r.expecting = true
	for len(steps) > 0 {
		m, err := r.next(r.patience)
		if err != nil {
			return fmt.Errorf("%w, want %s", err, steps[0].expect[0].text)
		}
		i, err := find(steps, m)
		if err != nil {
			return err
		}
		steps = slices.Concat(steps[:i], steps[i+1:])
	}
	r.expecting = false
	return nil
}

func find(steps []step, m message) (int, error) {
	why := fmt.Errorf("unexpected")
	for i, s := range steps {
		for _, e := range s.expect {
			err := e.match(m)
			if err == nil {
				return i, nil
			}
			if m.answers(e.id) || len(steps) == 1 && len(s.expect) == 1 {
				why = err
			}
		}
	}
	return 0, fmt.Errorf("got %s: %w", clip(m.raw), why)
}

// fence returns when the server has read everything sent so far, keeping what
// else it says. Any answer to the ping will do.
func (r *runner) fence() error {
	r.pings++
	id := json.RawMessage(`"fence-` + strconv.Itoa(r.pings) + `"`)
	r.peer.Send(`{"jsonrpc":"2.0","id":` + string(id) + `,"method":"ping"}`)
	return r.await(id, func(message) error { return nil })
}

func (r *runner) await(id json.RawMessage, ok func(message) error) error {
	kept := r.pending
	r.pending = nil
	defer func() { r.pending = slices.Concat(kept, r.pending) }()
	deadline := time.Now().Add(r.patience)
	for {
		m, err := r.next(time.Until(deadline))
		if errors.Is(err, errLost) {
			return fmt.Errorf("%w: a following request is not answered", errWedged)
		}
		if err != nil {
			return err
		}
		if m.answers(id) {
			return ok(m)
		}
		kept = append(kept, m)
	}
}

// silence wants no message at all for a while.
func (r *runner) silence(wait time.Duration) error {
	m, err := r.next(wait)
	if errors.Is(err, errLost) {
		return nil
	}
	if err != nil {
		return err
	}
	return fmt.Errorf("got %s: want silence", clip(m.raw))
}

// alive wants a ping answered, in an open session also a tool call, and
// nothing else said.
func (r *runner) alive() error {
	if err := r.fence(); err != nil {
		return err
	}
	if r.session {
		r.pings++
		text := "alive-" + strconv.Itoa(r.pings)
		r.peer.Send(`{"jsonrpc":"2.0","id":"` + text + `","method":"tools/call","params":{"name":"echo","arguments":{"text":"` + text + `"}}}`)
		want, err := parseCheck(`/result/content/0/text == "` + text + `"`)
		if err != nil {
			return err
		}
		if err := r.await(json.RawMessage(`"`+text+`"`), want.match); err != nil {
			return fmt.Errorf("echo call after the probe: %w", err)
		}
	}
	if len(r.pending) > 0 {
		return fmt.Errorf("got %s: unexpected", clip(r.pending[0].raw))
	}
	return nil
}

// exit wants the end of the output and then of the server, and nothing else said.
func (r *runner) exit(code int) error {
	m, err := r.next(exitLimit)
	switch {
	case err == nil:
		return fmt.Errorf("got %s: unexpected", clip(m.raw))
	case errors.Is(err, errLost):
		return fmt.Errorf("%w: not ended after %v", errWedged, exitLimit)
	case !errors.Is(err, errDied):
		return err
	}
	ctx, cancel := context.WithTimeout(r.ctx, exitLimit)
	defer cancel()
	got, err := r.peer.Wait(ctx)
	if err != nil {
		return fmt.Errorf("%w: output closed but not ended after %v", errWedged, exitLimit)
	}
	if got != code {
		return fmt.Errorf("exit code %d, want %d", got, code)
	}
	return nil
}

// verdict looks at what is left of the session after err.
func (r *runner) verdict(err error) Verdict {
	plain := Failed
	if errors.Is(err, errLost) || errors.Is(err, errDied) && r.closed && r.expecting {
		plain = Lost
	}
	switch {
	case errors.Is(err, errWedged):
		return Wedged
	case r.closed:
		return plain // there is no session left to ask
	case errors.Is(err, errDied):
		return Died
	}
	switch again := r.fence(); {
	case errors.Is(again, errDied):
		return Died
	case errors.Is(again, errWedged):
		return Wedged
	}
	return plain
}

// Tools opens a session on a fresh peer and returns the names of the tools
// that it lists.
func Tools(ctx context.Context, peer Peer, patience time.Duration) ([]string, error) {
	r := &runner{ctx: ctx, peer: peer, patience: patience}
	if err := r.open("2025-06-18"); err != nil {
		return nil, err
	}
	peer.Send(`{"jsonrpc":"2.0","id":"tools","method":"tools/list"}`)
	m, err := r.next(patience)
	if err != nil {
		return nil, fmt.Errorf("list tools: %w", err)
	}
	var list struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(m.fields["result"], &list); err != nil {
		return nil, fmt.Errorf("list tools: %w", err)
	}
	var names []string
	for _, t := range list.Tools {
		names = append(names, t.Name)
	}
	return names, nil
}
