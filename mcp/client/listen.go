package client

import (
	"context"
	"errors"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
)

// A Filter says of what a modern server should tell.
type Filter struct {
	Tools, Prompts, Resources bool     // changes of the lists
	URIs                      []string // of resources to watch
}

// A Subscription is what a server was asked to tell, until it is closed. When
// the connection breaks it is made anew.
type Subscription struct {
	core    *core
	filter  Filter
	handler func(Notification)
	cancel  context.CancelFunc
	acked   chan struct{} // closed at the first acknowledgement
	done    chan struct{} // closed when it has ended
	err     error         // why; set before done is closed

	// Guarded by the session's state.
	isAcked bool // of the request that is open
	granted Filter
}

// Listen asks a modern server to tell of changes, and returns when it has said
// of which it will. The handler is told of them, and so is Options.On; it may be
// nil. A server of the legacy era tells of lists unasked, and of resources
// after Subscribe.
func (s *Session) Listen(ctx context.Context, filter Filter, handler func(Notification)) (*Subscription, error) {
	if err := s.offered(mcp.MethodListen); err != nil {
		return nil, err
	}
	life, cancel := s.whileOpen(context.WithoutCancel(ctx))
	sub := &Subscription{
		core: s.core, filter: filter, handler: handler, cancel: cancel,
		acked: make(chan struct{}), done: make(chan struct{}),
	}
	if !s.background(func() { sub.run(life, s.per) }) {
		cancel()
		return nil, s.Err()
	}
	timer := time.NewTimer(s.opts.Timeouts.Request)
	defer timer.Stop()
	var err error
	select {
	case <-sub.acked:
		return sub, nil
	case <-sub.done:
		if err = sub.err; err == nil {
			err = &ProtocolError{Reason: "a subscription ended without an acknowledgement"}
		}
	case <-timer.C:
		err = &TimeoutError{Method: mcp.MethodListen, After: s.opts.Timeouts.Request}
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	sub.Close()
	return nil, err
}

// Granted is what the server will tell of.
func (sub *Subscription) Granted() (granted Filter) {
	sub.core.update(func(*state) { granted = sub.granted })
	return granted
}

// Done is closed when the subscription has ended.
func (sub *Subscription) Done() <-chan struct{} { return sub.done }

// Err is why the subscription has ended: nil if either side wanted it to, or
// if it has not ended.
func (sub *Subscription) Err() error {
	select {
	case <-sub.done:
		return sub.err
	default:
		return nil
	}
}

// Close ends the subscription. What was received before may still be told.
func (sub *Subscription) Close() {
	sub.cancel()
	<-sub.done
}

// run keeps the subscription open over any number of connections.
func (sub *Subscription) run(ctx context.Context, per CallOptions) {
	defer close(sub.done)
	defer sub.cancel()
	for failures := 1; ; failures++ {
		err := sub.listen(ctx, per)
		select {
		case <-sub.acked:
		default: // it never worked
			sub.err = err
			return
		}
		switch {
		case err == nil:
			return
		case isWire(err):
			sub.err = err
			return
		}
		if sub.wasAcked() {
			failures = 1
		}
		if sleep(ctx, backoff(failures)) != nil {
			if over := sub.core.reason(); !errors.Is(over, ErrClosed) {
				sub.err = over
			}
			return
		}
	}
}

// listen makes one request and stays until it is answered, which is when the
// server has nothing more to tell.
func (sub *Subscription) listen(ctx context.Context, per CallOptions) error {
	l, rev, err := sub.core.current(sub.core.patience(ctx))
	if err != nil {
		return err
	}
	o := rawjson.Begin(nil)
	o.Set(sub.filter.appendJSON(o.Name("notifications")))
	rq := &request{method: mcp.MethodListen, params: o.End(), opts: CallOptions{Meta: per.Meta}, endless: true, stream: sub}
	_, err = sub.core.exchange(ctx, l, rev, rq)
	return err
}

func (sub *Subscription) wasAcked() (was bool) {
	sub.core.update(func(*state) { was = sub.isAcked })
	return was
}

func (f Filter) appendJSON(dst []byte) []byte {
	o := rawjson.Begin(dst)
	for _, list := range []struct {
		name   string
		wanted bool
	}{
		{"toolsListChanged", f.Tools}, {"promptsListChanged", f.Prompts}, {"resourcesListChanged", f.Resources},
	} {
		if list.wanted {
			o.Bool(list.name, true)
		}
	}
	if len(f.URIs) > 0 {
		o.Strings("resourceSubscriptions", f.URIs)
	}
	return o.End()
}

func decodeFilter(raw []byte) Filter {
	return Filter{
		Tools:     boolean(rawjson.Member(raw, "toolsListChanged"), false),
		Prompts:   boolean(rawjson.Member(raw, "promptsListChanged"), false),
		Resources: boolean(rawjson.Member(raw, "resourcesListChanged"), false),
		URIs:      texts(rawjson.Member(raw, "resourceSubscriptions")),
	}
}

// subscription finds the one that a notification belongs to, and what is wrong
// with that.
func (c *core) subscription(l *link, n Notification) (sub *Subscription, wrong string) {
	if n.Subscription.IsZero() {
		return nil, ""
	}
	c.update(func(st *state) {
		p := st.pending[n.Subscription]
		switch {
		case p == nil || p.link != l || p.stream == nil:
			wrong = "a notification of no subscription that is open"
			return
		case !p.stream.isAcked && n.Method != mcp.NotifyAcknowledged:
			wrong = "a notification before the acknowledgement"
		}
		sub = p.stream
	})
	return sub, wrong
}

// acknowledged notes what a server has granted.
func (c *core) acknowledged(l *link, n Notification) (odd string, act func()) {
	sub, _ := c.subscription(l, n)
	if sub == nil {
		return "an acknowledgement of no subscription", func() {}
	}
	first := false
	c.update(func(*state) {
		sub.granted = decodeFilter(rawjson.Member(n.Params, "notifications"))
		sub.isAcked = true
		select {
		case <-sub.acked:
		default:
			first = true
		}
	})
	return "", func() {
		if first {
			close(sub.acked)
		}
	}
}

// ceased ends a subscription that the server takes back. The result that may
// follow is then nothing odd.
func (c *core) ceased(l *link, id jsonrpc.ID) {
	var p *pending
	c.update(func(st *state) {
		if p = st.pending[id]; p != nil && p.link == l && p.stream != nil {
			delete(st.pending, id)
			st.ceased[id] = true
		} else {
			p = nil
		}
	})
	if p != nil {
		p.answer <- answer{}
		p.fail(nil) // HTTP waits for the end of the stream
	}
}

// wasCeased says, once, whether a response is the last of a subscription that
// the server had taken back.
func (c *core) wasCeased(id jsonrpc.ID) (was bool) {
	c.update(func(st *state) {
		was = st.ceased[id]
		delete(st.ceased, id)
	})
	return was
}
