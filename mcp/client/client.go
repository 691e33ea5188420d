// Package client talks to MCP servers of every protocol revision: it starts or
// dials one, finds out what to speak, and makes typed calls.
//
// [Connect] takes a [Target] and returns a [Session]. Its files follow that
// order: a target becomes a line (target.go, process.go), the line a link with
// its one reader (link.go), era and revision are found (open.go, openurl.go,
// handshake.go), and a session that has them is ready for calls (call.go,
// retry.go; then tools.go, resources.go, prompts.go). Everything that changes is
// in state.go. What the server asks comes in through asked.go in the legacy era and
// rounds.go in the modern one, and is answered in handlers.go.
//
// Whatever a server says is untrusted: text is handed on as it came, and
// whoever shows it to a terminal or a browser has to clean it.
package client

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"mcpworks/mcp"
)

const (
	// closeTimeout is how long the rest of a line may take that nobody waits
	// for.
	closeTimeout = 15 * time.Second
	// lastWordsGrace is how long closing waits for the news that requests are
	// not wanted, in case the server has stopped listening.
	lastWordsGrace = time.Second
	// closeGrace is how long goroutines have to return when time is up.
	closeGrace = 2 * time.Second
)

// A Session is an open conversation with a server. Its methods may be used by
// any number of goroutines.
type Session struct {
	*core
	per CallOptions
}

// core is what the views of a session share.
type core struct {
	target Target
	opts   Options
	rec    *recording
	told   *queue[func()] // what is to be said to Options.On
	done   chan struct{}  // closed when the session is over
	goes   sync.WaitGroup // all goroutines that are not a call's own
	calls  sync.WaitGroup // requests, until what is to be said about them is said

	// Set while opening.
	way      Way
	attempts []Attempt

	mu    sync.Mutex
	state state
}

// Connect opens a session. The context is for opening it and has no part in
// what follows; the session lasts until Close, or until the server ends it.
// After an error nothing is left running.
func Connect(ctx context.Context, target Target, opts Options) (*Session, error) {
	c, err := newCore(target, opts)
	if err != nil {
		return nil, err
	}
	s := &Session{core: c}
	if err := c.open(ctx); err != nil {
		c.finish(err)
		ctx, cancel := context.WithTimeout(ctx, closeGrace)
		defer cancel()
		_ = s.Close(ctx)
		return nil, &ConnectError{Attempts: c.attempts, Err: err}
	}
	return s, nil
}

func newCore(target Target, opts Options) (*core, error) {
	if err := opts.setDefaults(); err != nil {
		return nil, err
	}
	c := &core{target: target, opts: opts, done: make(chan struct{}), way: opts.Way}
	c.rec = newRecording(target, &opts)
	c.told = newQueue[func()](opts.Limits.Notifications)
	c.state.init()
	c.goes.Go(func() { c.told.run(func(tell func()) { tell() }) })
	return c, nil
}

// With returns a view of the session whose requests have options of their own.
func (s *Session) With(per CallOptions) *Session { return &Session{core: s.core, per: per} }

// Close ends the session and everything that belongs to it. Requests in flight
// fail with ErrClosed; those given up before are cancelled first. A server's process gets time to end by itself, until ctx
// ends. A callback of Options must not wait for it.
func (s *Session) Close(ctx context.Context) error {
	l := s.finish(ErrClosed)
	s.told.close(true)
	said, ended := make(chan struct{}), make(chan struct{})
	go func() {
		s.calls.Wait()
		close(said)
		s.goes.Wait()
		close(ended)
	}()
	await(ctx, said, lastWordsGrace)
	var err error
	if l != nil {
		err = l.line.Close(ctx)
	}
	select {
	case <-ended:
		return err
	case <-ctx.Done():
	}
	select { // what is left is about to end, or is a handler that does not care
	case <-ended:
	case <-time.After(closeGrace):
		err = errors.Join(err, errors.New("a handler did not return"))
	}
	return err
}

// await waits for something to happen, while there is time.
func await(ctx context.Context, happens <-chan struct{}, limit time.Duration) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-happens:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// Done is closed when the session is over.
func (s *Session) Done() <-chan struct{} { return s.done }

// Err is why the session is over, nil while it is not.
func (s *Session) Err() error { return s.reason() }

// Revision is the one that is spoken.
func (s *Session) Revision() *mcp.Revision { return s.server().rev }

// Version is what the server calls the revision. It differs from Revision only
// with Options.AcceptUnknown.
func (s *Session) Version() string { return s.server().version }

// ServerInfo is how the server calls itself.
func (s *Session) ServerInfo() mcp.Implementation { return s.server().info }

// Capabilities is what the server offers.
func (s *Session) Capabilities() Capabilities { return s.server().capabilities }

// Instructions is what the server would like the model to know.
func (s *Session) Instructions() string { return s.server().instructions }

// Opening is the result of initialize or server/discover, as it came; nil if
// the session is open without.
func (s *Session) Opening() json.RawMessage { return s.server().opening }

// Attempts lists how the session was opened, the last one being how it worked.
func (s *Session) Attempts() []Attempt { return s.attempts }

// Process is that of a server that was started, otherwise nil.
func (s *Session) Process() (p *Process) {
	s.update(func(st *state) {
		if st.link != nil {
			p, _ = st.link.line.(*Process)
		}
	})
	return p
}

func (c *core) server() (server peer) {
	c.update(func(st *state) { server = st.server })
	return server
}

// spawn starts a goroutine that Close waits for. The caller holds the state,
// and the session is not over.
func (c *core) spawn(do func()) {
	c.goes.Add(1)
	go func() {
		defer c.goes.Done()
		do()
	}()
}

// background is spawn for those who do not hold the state. It reports whether
// the session was not over.
func (c *core) background(do func()) (started bool) {
	c.update(func(st *state) {
		if started = st.phase != over; started {
			c.spawn(do)
		}
	})
	return started
}

// whileOpen returns a context that also ends with the session.
func (c *core) whileOpen(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-c.done:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}
