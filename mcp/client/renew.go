package client

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// A renewal is the making of a new link for a session that has lost its own.
type renewal struct {
	done chan struct{}
	err  error // set before done is closed
}

// patience waits for a renewal as long as ctx allows.
func (c *core) patience(ctx context.Context) func(*renewal) error {
	return func(r *renewal) error {
		select {
		case <-r.done:
			return r.err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// renew replaces a link for a reason. Of all who want that for the same link,
// one does it and the others wait.
func (c *core) renew(ctx context.Context, old *link, reason error) (err error) {
	var r *renewal
	c.update(func(st *state) {
		switch {
		case st.phase == renewing:
			r = st.renewal
		case st.phase == over:
			err = st.err
		case st.link == old && st.enter(renewing):
			r = &renewal{done: make(chan struct{})}
			st.renewal, old.err = r, reason
			c.spawn(func() { c.reopen(context.WithoutCancel(ctx), old, r, 0) })
		}
	})
	if r == nil {
		return err
	}
	return c.patience(ctx)(r)
}

// restart replaces the current link, whose server died, in the background. It
// reports whether the options allow that.
func (c *core) restart(ctx context.Context, st *state) bool {
	if st.renewed >= c.opts.Restarts || !c.target.again() || !st.enter(renewing) {
		return false
	}
	st.renewed++
	r, old, delay := &renewal{done: make(chan struct{})}, st.link, backoff(st.renewed)
	st.renewal = r
	c.spawn(func() { c.reopen(context.WithoutCancel(ctx), old, r, delay) })
	return true
}

// reopen makes a new link and speaks on it what was spoken before. A server
// that could be started again is tried as often as the options allow.
func (c *core) reopen(ctx context.Context, old *link, r *renewal, delay time.Duration) {
	defer close(r.done)
	ctx, cancel := c.whileOpen(ctx)
	defer cancel()
	for {
		if r.err = sleep(ctx, delay); r.err == nil {
			r.err = c.resume(ctx, old)
		}
		if r.err == nil || ctx.Err() != nil || delay == 0 || !c.mayRestart() {
			break
		}
		delay *= 2
	}
	if r.err != nil {
		c.finish(fmt.Errorf("opening the session again: %w", r.err))
		r.err = c.reason() // which may be an earlier one
	}
}

func (c *core) mayRestart() (may bool) {
	c.update(func(st *state) {
		if may = st.renewed < c.opts.Restarts; may {
			st.renewed++
		}
	})
	return may
}

func (c *core) resume(ctx context.Context, old *link) error {
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeouts.Open)
	defer cancel()
	_ = old.line.Close(ctx) // whatever is left of it
	var server peer
	c.update(func(st *state) { server = st.server })
	l, err := c.dial(ctx, c.way)
	if err != nil {
		return err
	}
	if server.rev.Modern {
		l.line.Assume(server.rev)
		err = c.settle(l, server)
	} else {
		err = c.handshake(ctx, l, server.rev)
	}
	if err != nil {
		_ = l.line.Close(ctx)
	}
	return err
}

// backoff is how long to wait before the nth try: longer each time, and never
// quite as long as others do.
func backoff(n int) time.Duration {
	const first, most = 250 * time.Millisecond, 30 * time.Second
	delay := most
	if n < 8 {
		delay = min(first<<(n-1), most)
	}
	return delay/2 + rand.N(delay/2)
}
