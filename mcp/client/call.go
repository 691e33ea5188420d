package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

const (
	// cancelTimeout is how long the news that a request is not wanted may take.
	cancelTimeout = 5 * time.Second
	// goneGrace is how long it may take from a write that failed to the end of
	// what can be read.
	goneGrace = 2 * time.Second
)

// Call sends any request and returns the result as it came. What the server
// answers with an error is a *jsonrpc.Error. Nothing is checked, nothing is
// asked back, and only what is known to change nothing is ever sent twice.
func (s *Session) Call(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	compact, err := oneLine(params)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	return s.send(ctx, &request{method: method, params: compact, opts: s.per, acts: !harmless[method]})
}

// Notify sends any notification.
func (s *Session) Notify(ctx context.Context, method string, params json.RawMessage) error {
	compact, err := oneLine(params)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	l, _, err := s.current(s.patience(ctx))
	if err != nil {
		return err
	}
	return s.notify(ctx, l, method, compact)
}

// SendRaw sends bytes as they are, where the transport can: they need not be a
// message, nor end like one.
func (s *Session) SendRaw(ctx context.Context, b []byte) error {
	l, _, err := s.current(s.patience(ctx))
	if err != nil {
		return err
	}
	rude, ok := l.line.(RawSender)
	if !ok {
		return errors.New("the transport sends whole messages only")
	}
	s.rec.sent(bytes.Clone(b))
	return rude.SendRaw(ctx, b)
}

func (c *core) notify(ctx context.Context, l *link, method string, params []byte) error {
	frame := jsonrpc.AppendCall(nil, jsonrpc.ID{}, method, params)
	c.rec.sent(frame)
	return l.line.Send(ctx, transport.Outgoing{Frame: frame, Method: method})
}

// exchange sends one request over a link, in a revision, and waits for its
// answer.
func (c *core) exchange(ctx context.Context, l *link, rev *mcp.Revision, rq *request) (json.RawMessage, error) {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p := &pending{link: l, method: rq.method, answer: make(chan answer, 1), fail: cancel, stream: rq.stream}
	defer c.hearProgress(p, rq)()
	defer c.startClock(p, rq)()
	if err := c.book(p); err != nil {
		return nil, err
	}
	defer c.forget(p)

	out := c.outgoing(rev, rq, p.id)
	c.rec.sent(out.Frame)
	err := l.line.Send(inner, out)
	if err == nil {
		select {
		case a := <-p.answer:
			return a.result, a.err
		case <-inner.Done():
		}
	}
	select {
	case a := <-p.answer: // it came all the same
		return a.result, a.err
	default:
	}
	if errors.Is(err, transport.ErrGone) || errors.Is(err, transport.ErrClosed) {
		_ = sleep(inner, goneGrace) // the reader is about to learn why
	}
	if inner.Err() == nil {
		return nil, c.refused(err)
	}
	err = context.Cause(inner)
	c.giveUp(ctx, p, err)
	return nil, err
}

// giveUp lets the server know that a request is not wanted any more (A9.3), which
// Close waits for. The first request of a session is never cancelled.
func (c *core) giveUp(ctx context.Context, p *pending, why error) {
	reason := "no longer wanted"
	if late := new(TimeoutError); errors.As(why, &late) {
		reason = "timeout"
	} else if ctx.Err() == nil {
		return // the link is gone
	}
	if p.method == mcp.MethodInitialize || p.link.line.CancelsByContext() {
		return
	}
	o := rawjson.Begin(nil)
	o.Set(p.id.AppendJSON(o.Name("requestId")))
	o.String("reason", reason)
	tell := func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTimeout)
		defer cancel()
		if err := c.notify(ctx, p.link, mcp.NotifyCancelled, o.End()); err != nil {
			c.opts.Log.Debug("telling the server that a request is cancelled", "error", err)
		}
	}
	if p.stream != nil {
		tell() // its own goroutine can wait
		return
	}
	c.calls.Go(tell)
}

// startClock gives a request its time, and more with every progress up to the
// most. The returned function stops it.
func (c *core) startClock(p *pending, rq *request) (stop func()) {
	p.extend = func() {}
	if rq.endless {
		return func() {}
	}
	most := c.opts.Timeouts.Most
	limit := c.opts.Timeouts.Request
	if rq.opts.Timeout != 0 {
		limit = rq.opts.Timeout
	}
	if limit < 0 || limit > most {
		limit = most
	}
	begin := time.Now()
	timer := time.AfterFunc(limit, func() {
		p.fail(&TimeoutError{Method: p.method, After: time.Since(begin)})
	})
	p.extend = func() { timer.Reset(min(limit, most-time.Since(begin))) }
	return func() { timer.Stop() }
}

// hearProgress tells the caller how far its request is. The returned function
// waits until everything was told.
func (c *core) hearProgress(p *pending, rq *request) (wait func()) {
	if rq.opts.Progress == nil {
		return func() {}
	}
	p.progress = newQueue[Progress](c.opts.Limits.Notifications)
	told := make(chan struct{})
	go func() {
		defer close(told)
		p.progress.run(rq.opts.Progress)
	}()
	return func() {
		p.progress.close(false)
		<-told
	}
}

// refused explains why a message was not taken. HTTP refuses with a status, and
// its body may be the server's answer.
func (c *core) refused(err error) error {
	var status *transport.StatusError
	if !errors.As(err, &status) {
		return err
	}
	c.rec.received(status.Body, fmt.Sprintf("the body of HTTP status %d", status.Status))
	if status.Status == 401 || status.Status == 403 {
		return fmt.Errorf("%w: %w", ErrUnauthorized, err)
	}
	if status.JSON && jsonrpc.Check(status.Body, c.opts.Limits.json()) == nil {
		if raw := rawjson.Member(status.Body, "error"); rawjson.KindOf(raw) == rawjson.Object {
			var wire *jsonrpc.Error
			if errors.As(parseError(raw), &wire) {
				wire.Cause = err
				return wire
			}
		}
	}
	return err
}
