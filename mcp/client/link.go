package client

import (
	"context"
	"errors"
	"fmt"
	"io"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// A link is the use of one line. A session has one at a time, but those it gave
// up may still be closing.
type link struct {
	line transport.Line
	join jsonrpc.Joiner
	// replies are answers that are ready; nil before the first. Only the reader
	// touches it.
	replies *queue[[]byte]

	// Guarded by the session's state.
	rev *mcp.Revision // nil before one was agreed
	err error         // why nothing more can be said
}

// A pending request waits for its answer.
type pending struct {
	link     *link
	id       jsonrpc.ID
	method   string
	answer   chan answer // has room for one
	fail     context.CancelCauseFunc
	progress *queue[Progress] // nil if nobody asked for it
	extend   func()           // gives the request more time
	stream   *Subscription    // nil unless it is a subscription's
	last     float64          // progress
	told     bool             // last is one
}

// An answer is a response, or why there is none.
type answer struct {
	result []byte
	err    error
}

// start reads from a line until it ends.
func (c *core) start(ctx context.Context, line transport.Line) (*link, error) {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	l := &link{line: line, join: jsonrpc.Joiner{Bytes: c.opts.Limits.Message, Limits: c.opts.Limits.json()}}
	started := c.background(func() {
		err := c.read(ctx, l)
		stop() // the handlers of the server's questions
		if l.replies != nil {
			l.replies.close(true)
		}
		c.ended(ctx, l, err)
	})
	if !started {
		stop()
		_ = line.Close(ctx)
		return nil, ErrClosed
	}
	return l, nil
}

// read takes messages until there are no more.
func (c *core) read(ctx context.Context, l *link) error {
	for {
		frame, err := l.line.Receive()
		tooLong, notFinal := err.(*transport.FrameError)
		switch {
		case err == nil:
			c.take(ctx, l, frame)
		case notFinal:
			c.dropped(l, tooLong)
		case errors.Is(err, io.EOF) && !errors.Is(err, transport.ErrLost):
			return fmt.Errorf("the server ended the conversation: %w", io.ErrUnexpectedEOF)
		default:
			return err
		}
	}
}

// ended is called when nothing more comes from a line. A link that was replaced
// or closed is nobody's concern; the current one takes its session along, unless
// it can be replaced.
func (c *core) ended(ctx context.Context, l *link, err error) {
	var tell []func()
	last := false
	c.update(func(st *state) {
		if l.err == nil {
			l.err = err
		}
		tell = st.failAll(l, l.err)
		if st.link == l && st.phase == ready {
			last = !c.restart(ctx, st)
		}
	})
	for _, t := range tell {
		t()
	}
	if last {
		c.finish(err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	if err := l.line.Close(ctx); err != nil {
		c.opts.Log.Debug("closing the line", "error", err)
	}
}

// dropped fails all requests on a link whose answer may have been the message
// that was too long to be read. The link itself goes on.
func (c *core) dropped(l *link, err error) {
	c.rec.note("a message was dropped: " + err.Error())
	var failed []*pending
	c.update(func(st *state) {
		for id, p := range st.pending {
			if p.link == l && p.stream == nil {
				delete(st.pending, id)
				failed = append(failed, p)
			}
		}
	})
	for _, p := range failed {
		p.answer <- answer{err: fmt.Errorf("%s: the answer may be lost: %w", p.method, err)}
	}
}

// joined says what a frame is besides a message.
var joined = map[jsonrpc.Role]string{
	jsonrpc.Noise: "not JSON", jsonrpc.Part: "part of a message", jsonrpc.Complete: "a message over several lines",
}

// take goes on with one frame: a message, several, or noise.
func (c *core) take(ctx context.Context, l *link, frame []byte) {
	role, text, _ := l.join.Add(frame)
	note := joined[role]
	if text == nil {
		c.rec.received(frame, note)
		c.opts.Log.Debug("not a message", "why", note)
		return
	}
	batch, ok := jsonrpc.Batch(text)
	if !ok {
		c.message(ctx, l, text, note, frame)
		return
	}
	var rev *mcp.Revision
	c.update(func(*state) { rev = l.rev })
	if rev == nil || !rev.Batches {
		note = "a batch where there are none"
	}
	c.rec.received(frame, note)
	for _, element := range batch {
		c.message(ctx, l, element, "", nil)
	}
}

// message goes on with one message. The frame it came in is recorded with it,
// unless it was before.
func (c *core) message(ctx context.Context, l *link, raw []byte, note string, frame []byte) {
	m, err := jsonrpc.Parse(raw)
	if err != nil {
		if m, err = jsonrpc.Parse(withVersion(raw)); err == nil {
			note = `jsonrpc is not "2.0"`
		}
	}
	if err != nil {
		c.rec.received(frame, err.Message)
		c.invalid(l, raw, err)
		return
	}
	var odd string
	var act func() // after the record, so that whoever is told finds it there
	switch {
	case m.IsResponse():
		odd, act = c.response(l, m)
	case m.IsRequest():
		odd, act = c.question(ctx, l, m)
	default:
		odd, act = c.notice(l, m)
	}
	if odd != "" {
		note = odd
	}
	c.rec.received(frame, note)
	act()
}

// withVersion repairs the member that says nothing.
func withVersion(raw []byte) []byte {
	if rawjson.KindOf(raw) != rawjson.Object {
		return raw
	}
	o := rawjson.Begin(nil)
	o.String("jsonrpc", "2.0")
	for name, value := range rawjson.Members(raw) {
		if string(name) != "jsonrpc" {
			o.Raw(string(name), value)
		}
	}
	return o.End()
}

// response finds the one who waits for an answer.
func (c *core) response(l *link, m jsonrpc.Message) (odd string, act func()) {
	a := answer{result: m.Result}
	if m.Error != nil {
		a = answer{err: parseError(m.Error)}
	}
	p := c.claim(l, m.ID)
	switch {
	case p != nil:
		return "", func() { p.answer <- a }
	case c.wasCeased(m.ID):
		return "", func() {}
	}
	return "a response to no request that waits", func() {}
}

// claim takes a request out of those that wait, for whoever answers it.
func (c *core) claim(l *link, id jsonrpc.ID) (p *pending) {
	c.update(func(st *state) {
		if p = st.waiting(l, id); p != nil {
			delete(st.pending, p.id)
		}
	})
	return p
}

// invalid fails the request that a message was meant to answer, if it shows
// which that is.
func (c *core) invalid(l *link, raw []byte, why *jsonrpc.Error) {
	c.opts.Log.Debug("not a message", "why", why.Message)
	id, ok := jsonrpc.ParseID(rawjson.Member(raw, "id"))
	if !ok || rawjson.Member(raw, "method") != nil {
		return
	}
	if p := c.claim(l, id); p != nil {
		p.answer <- answer{err: &ProtocolError{Reason: why.Message, Message: raw}}
	}
}
