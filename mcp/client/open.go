package client

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
)

// isModernError says whether an error can only come from a server that knows
// the modern era.
func isModernError(err error) bool {
	return hasCode(err, mcp.CodeHeaderMismatch, mcp.CodeMissingCapability, mcp.CodeUnsupportedVersion)
}

// open finds out what to speak and gets ready to speak it.
func (c *core) open(ctx context.Context) error {
	limit := c.opts.Timeouts.Open
	ctx, cancel := context.WithTimeoutCause(ctx, limit, &TimeoutError{Method: "opening the session", After: limit})
	defer cancel()
	if url, ok := c.target.(URL); ok {
		return c.openURL(ctx, url)
	}
	l, err := c.begin(ctx, c.opts.Way)
	if err != nil {
		return err
	}
	switch c.opts.Era {
	case Legacy:
		err = c.openLegacy(ctx, l)
	case Modern:
		err = c.openModern(ctx, l)
	default:
		err = c.openEither(ctx, l)
	}
	return err
}

// begin dials and makes the link the one that is closed with the session.
func (c *core) begin(ctx context.Context, way Way) (*link, error) {
	l, err := c.dial(ctx, way)
	c.try(way, "", err)
	if err == nil {
		c.update(func(st *state) { st.link = l })
	}
	return l, err
}

// try notes an attempt.
func (c *core) try(way Way, method string, err error) {
	name := "line"
	switch c.target.(type) {
	case Command:
		name = "stdio"
	case URL:
		name = "streamable"
		if way == SSE {
			name = "sse"
		}
	}
	c.attempts = append(c.attempts, Attempt{Way: name, Method: method, Err: err})
}

// legacyRevision is the one to ask for in initialize.
func (c *core) legacyRevision() *mcp.Revision {
	return newest(func(rev *mcp.Revision) bool { return !rev.Modern && c.accepts(rev) })
}

func (c *core) openLegacy(ctx context.Context, l *link) error {
	err := c.handshake(ctx, l, c.legacyRevision())
	c.try(c.opts.Way, mcp.MethodInitialize, err)
	return err
}

func (c *core) openModern(ctx context.Context, l *link) error {
	d, err := c.discover(ctx, l)
	c.try(c.opts.Way, mcp.MethodDiscover, err)
	return c.decide(ctx, l, d, err)
}

// decide goes on after a server has answered the modern way: with a discovery,
// or with an error that only a modern server has.
func (c *core) decide(ctx context.Context, l *link, d *Discovery, err error) error {
	theirs := supported(err)
	if d != nil {
		theirs = d.Versions
	}
	if theirs == nil {
		if c.opts.Era == Modern && isWire(err) && !isModernError(err) {
			return c.openUndiscovered(ctx, l, err)
		}
		return err
	}
	rev := c.choose(theirs)
	if rev != nil && rev.Modern && d == nil {
		// It names what it has just refused. It may know better by now; one
		// that contradicts itself again is told so.
		if d, err = c.discover(ctx, l); d != nil {
			rev = c.choose(d.Versions)
			theirs = d.Versions
		}
		c.try(c.opts.Way, mcp.MethodDiscover, err)
	}
	switch {
	case rev == nil, rev.Modern && d == nil:
		return c.noVersion(theirs, err)
	case rev.Modern:
		return c.settleModern(l, rev, d)
	}
	err = c.handshake(ctx, l, rev)
	c.try(c.opts.Way, mcp.MethodInitialize, err)
	return err
}

// openUndiscovered opens the modern era with a server that does not say what it
// is, if it answers as only modern ones do: over HTTP that a method is missing,
// or a list with a resultType. A legacy server may answer a list, too.
func (c *core) openUndiscovered(ctx context.Context, l *link, why error) error {
	c.opts.Log.Info("the server does not say what it is", "error", why)
	if isMissing(why) {
		return c.settleModern(l, mcp.V20260728, nil)
	}
	l.line.Assume(mcp.V20260728)
	for _, method := range []string{mcp.MethodListTools, mcp.MethodListResources, mcp.MethodListPrompts} {
		result, err := c.exchange(ctx, l, mcp.V20260728, &request{method: method, endless: true})
		c.try(c.opts.Way, method, err)
		switch {
		case text(rawjson.Member(result, "resultType")) != "", isModernError(err), isMissing(err):
			return c.settleModern(l, mcp.V20260728, nil)
		case err == nil:
			return fmt.Errorf("%w: %s was refused, and the result of %s has no resultType: %w", ErrNotModern, mcp.MethodDiscover, method, why)
		case !isWire(err):
			return explain(method, err)
		}
	}
	return fmt.Errorf("%w: %w", ErrNotModern, why)
}

// A found is the outcome of one of two first requests.
type found struct {
	discovery *Discovery
	result    []byte // of initialize
	err       error
}

// openEither asks in the modern way first. A server that does not answer in
// time is asked in the legacy way as well, and the first good answer counts: it
// may only be slow to start.
func (c *core) openEither(ctx context.Context, l *link) error {
	probing, stop := context.WithCancel(ctx)
	probe := make(chan found, 1)
	var asking sync.WaitGroup
	defer asking.Wait()
	defer stop()
	asking.Go(func() {
		d, err := c.discover(probing, l)
		probe <- found{discovery: d, err: err}
	})
	timer := time.NewTimer(c.opts.Timeouts.Probe)
	defer timer.Stop()
	select {
	case f := <-probe:
		return c.probed(ctx, l, f)
	case <-timer.C:
		c.try(c.opts.Way, mcp.MethodDiscover, &TimeoutError{Method: mcp.MethodDiscover, After: c.opts.Timeouts.Probe})
	}
	return c.openSilent(ctx, l, probe)
}

// probed goes on after the first request was answered.
func (c *core) probed(ctx context.Context, l *link, f found) error {
	c.try(c.opts.Way, mcp.MethodDiscover, f.err)
	switch {
	case f.discovery != nil, isModernError(f.err):
		return c.decide(ctx, l, f.discovery, f.err)
	case ctx.Err() != nil:
		return f.err
	case c.hasEnded(l):
		return c.openAgain(ctx, f.err)
	}
	return c.openLegacy(ctx, l)
}

// openAgain starts a server once more that could not stand the first request.
func (c *core) openAgain(ctx context.Context, err error) error {
	if !c.target.again() {
		return err
	}
	l, err2 := c.begin(ctx, c.opts.Way)
	if err2 != nil {
		return errors.Join(err, err2)
	}
	return c.openLegacy(ctx, l)
}

func (c *core) hasEnded(l *link) (has bool) {
	c.update(func(*state) { has = l.err != nil })
	return has
}

// openSilent sends initialize to a server that has not answered the probe.
func (c *core) openSilent(ctx context.Context, l *link, probe <-chan found) error {
	begun, stop := context.WithCancel(ctx)
	asked := make(chan found, 1)
	var asking sync.WaitGroup
	defer asking.Wait()
	defer stop()
	asking.Go(func() {
		result, err := c.initialize(begun, l, c.legacyRevision())
		asked <- found{result: result, err: err}
	})
	for {
		select {
		case f := <-probe:
			if f.discovery != nil || isModernError(f.err) || c.hasEnded(l) {
				return c.probed(ctx, l, f)
			}
			probe = nil // it is not modern
		case f := <-asked:
			if f.err != nil && probe != nil && c.hasEnded(l) {
				return c.probed(ctx, l, <-probe)
			}
			c.try(c.opts.Way, mcp.MethodInitialize, f.err)
			if f.err == nil {
				return c.greet(ctx, l, f.result)
			}
			if named := supported(f.err); probe == nil || named == nil || c.choose(named) == nil || !c.choose(named).Modern {
				return f.err
			}
			asked = nil // it is modern, and will answer the probe
		case <-ctx.Done():
			return fmt.Errorf("neither %s nor %s was answered: %w", mcp.MethodDiscover, mcp.MethodInitialize, context.Cause(ctx))
		}
	}
}
