package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

const (
	// cancelGrace is how long cancelled handlers have to return.
	cancelGrace = 500 * time.Millisecond
	// flushGrace is how long a client has to take the last answers.
	flushGrace = 500 * time.Millisecond
	// farewellGrace is how long the end of input may come behind the end of
	// output.
	farewellGrace = 100 * time.Millisecond
)

// A connection is a session that owns its way to the client.
type connection struct {
	*session
	conn     transport.Conn
	schedule *schedule
	cancel   context.CancelFunc // ends every request, and every wait to send
	out      transport.Outlet   // for what the reader answers itself
	late     sync.WaitGroup     // answers of the reader that wait for the client to read
	places   chan struct{}      // one for each of them
}

// Serve answers one connection until its input ends, ctx ends or the client is
// gone, lets the calls in flight finish for Options.Drain, and closes the
// connection. It returns nil unless reading or writing failed.
func (srv *Server) Serve(ctx context.Context, conn transport.Conn) error {
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	c := &connection{conn: conn, schedule: newSchedule(srv.opts.Limits), cancel: cancel, places: make(chan struct{}, maxLate)}
	c.session = srv.newSession(func(msg []byte) error { return c.Notify(base, msg) })
	c.session.deaf = make(chan struct{})
	c.session.giveUp = c.schedule.giveUp
	c.speak()

	input := make(chan error, 1)
	go func() { input <- c.readAll(base) }()
	var err error
	drain := srv.opts.Drain
	select {
	case err = <-input:
		close(c.deaf)
	case <-conn.Gone():
		cancel()
		err = c.farewell(input)
	case <-ctx.Done():
		drain = srv.opts.DrainOnStop
		defer c.watchLeaving(input)()
	}
	c.drain(base, drain)

	flush, done := context.WithTimeout(context.WithoutCancel(ctx), flushGrace)
	defer done()
	closeErr := conn.Close(flush)
	if err == nil && errors.Is(closeErr, transport.ErrGone) {
		return closeErr // answers were lost
	}
	if closeErr != nil {
		srv.opts.Log.Debug("closing the connection", "error", closeErr)
	}
	return err
}

// watchLeaving shortens a stop whose client does not wait for it: calls have
// Options.Drain from the end of input on, and no time when it is gone.
func (c *connection) watchLeaving(input <-chan error) (stop func()) {
	stopped := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		select {
		case <-input:
			timer := time.AfterFunc(max(c.srv.opts.Drain, 0), c.cancel)
			defer timer.Stop()
			<-stopped
		case <-c.conn.Gone():
			c.cancel()
		case <-stopped:
		}
	})
	return func() {
		close(stopped)
		watching.Wait()
	}
}

// farewell tells a client that ended the conversation from one that vanished.
func (c *connection) farewell(input <-chan error) error {
	timer := time.NewTimer(farewellGrace)
	defer timer.Stop()
	select {
	case err := <-input:
		return err
	case <-timer.C:
		return transport.ErrGone
	}
}

// readAll handles frames until there are no more.
func (c *connection) readAll(ctx context.Context) error {
	for {
		frame, err := c.conn.Read()
		if err == nil {
			c.handle(ctx, frame)
			continue
		}
		var tooLong *transport.FrameError
		switch {
		case errors.As(err, &tooLong):
			c.refuseLong(ctx, tooLong)
		case errors.Is(err, io.EOF):
			return nil
		default:
			return err
		}
	}
}

// maxLate is how many answers of its own the reader leaves behind for a client
// that does not read, so that it gets to what else that client has sent, above
// all to the end.
const maxLate = 256

// A lateOutlet is the way out for what the reading goroutine answers itself.
type lateOutlet struct{ *connection }

// Answer implements transport.Outlet. It blocks only when too many answers are
// late already.
func (c lateOutlet) Answer(ctx context.Context, msg []byte, outcome transport.Outcome) error {
	if err := c.conn.Write(expired, msg); !errors.Is(err, context.Canceled) {
		return err
	}
	c.places <- struct{}{}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing { // nobody waits for it any more
		<-c.places
		return transport.ErrClosed
	}
	msg = bytes.Clone(msg)
	c.late.Go(func() {
		_ = c.connection.Answer(ctx, msg, outcome)
		<-c.places
	})
	return nil
}

// startLater schedules a request, whose goroutine can then wait for the client.
func (c *connection) startLater(ctx context.Context, r *Request) error {
	late := r.out
	r.out = c
	err := c.schedule.start(ctx, r)
	if err != nil {
		r.out = late
	}
	return err
}

// expired is a context that has ended: what it is given to does not wait.
var expired = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// handle takes one frame.
func (c *connection) handle(ctx context.Context, frame []byte) {
	if c.srv.dialect.InOrder && c.schedule.enter() {
		defer c.schedule.leave()
	}
	if parse := c.srv.dialect.Parse; parse != nil {
		m, err := parse(frame, c.Revision() != nil)
		c.take(ctx, m, len(frame), err)
		return
	}
	if err := jsonrpc.Check(frame, c.srv.json); err != nil {
		c.refuse(ctx, jsonrpc.ID{}, err, c.out)
		return
	}
	if batch, ok := jsonrpc.Batch(frame); ok {
		c.handleBatch(ctx, batch)
		return
	}
	c.handleMessage(ctx, frame, false)
}

// handleBatch takes an array where the negotiated revision has arrays. The
// answers are sent as they come, each by itself.
func (c *connection) handleBatch(ctx context.Context, batch [][]byte) {
	if err := c.srv.CheckBatch(c.Revision(), len(batch)); err != nil {
		c.refuse(ctx, jsonrpc.ID{}, err, c.out)
		return
	}
	for _, frame := range batch {
		c.handleMessage(ctx, frame, true)
	}
}

func (c *connection) handleMessage(ctx context.Context, frame []byte, inBatch bool) {
	m, err := jsonrpc.Parse(frame)
	if err == nil && inBatch && m.IsRequest() && m.Method == mcp.MethodInitialize {
		err = invalidRequest("initialize cannot be part of a batch")
	}
	c.take(ctx, m, len(frame), err)
}

func invalidRequest(why string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.InvalidRequest, Message: "Invalid Request: " + why}
}

// Notify implements transport.Outlet.
func (c *connection) Notify(ctx context.Context, msg []byte) error {
	c.schedule.sending.Add(1)
	defer c.schedule.sending.Add(-1)
	return c.conn.Write(ctx, msg)
}

// Answer implements transport.Outlet.
func (c *connection) Answer(ctx context.Context, msg []byte, _ transport.Outcome) error {
	return c.Notify(ctx, msg)
}

// drain ends the connection: nothing new is started, subscriptions are closed,
// and what runs may finish for a while.
func (c *connection) drain(ctx context.Context, most time.Duration) {
	c.refuseNew()
	c.schedule.close()
	deadline := time.AfterFunc(max(most, 0), c.cancel)
	defer deadline.Stop()
	c.endListens(ctx)
	select {
	case <-c.schedule.idle:
	case <-ctx.Done():
		timer := time.NewTimer(cancelGrace)
		defer timer.Stop()
		select {
		case <-c.schedule.idle:
		case <-timer.C:
			c.srv.opts.Log.Warn("a handler did not return after it was cancelled")
		}
	}
	c.stopWatching()
	c.late.Wait() // at most until the deadline, which ends every wait to send
}
