package streamable

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/origin"
)

// LineOptions are what a programmer decides about a line; zero means the
// default.
type LineOptions struct {
	// Client, Header and Authorize are how requests are made: see
	// origin.Options.
	Client    *http.Client
	Header    http.Header
	Authorize func(*http.Request) error
	// MaxMessage is the size of one incoming message in bytes; 4 MiB.
	MaxMessage int64
	// MaxUnread is how many bytes of messages wait to be received before the
	// streams are left unread; 4 MiB.
	MaxUnread int
	// MaxStreams is how many requests are in flight at once, one more waits;
	// 256.
	MaxStreams int
	// Log gets what no caller can be told; nil means nowhere.
	Log *slog.Logger
}

func (o *LineOptions) setDefaults() {
	setDefault(&o.MaxMessage, 4<<20)
	setDefault(&o.MaxUnread, 4<<20)
	setDefault(&o.MaxStreams, 256)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

// A Line is the client end for one conversation. It implements transport.Line.
//
// A message goes out as a POST (exchange.go), whose answer is a message or a
// stream of them. In the legacy revisions a stream that broke is gone on with,
// and there is one more for what no request asked for (feed.go).
type Line struct {
	server *origin.Caller
	opts   LineOptions
	inbox  *inbox
	places chan struct{} // full when as many requests are in flight as may be
	ended  chan struct{} // closed when Close is done

	mu      sync.Mutex
	rev     *mcp.Revision // nil before one was agreed
	session string
	news    newsState
	tasks   map[*task]struct{}
	over    error         // ErrSessionGone, or finally ErrClosed
	rest    chan struct{} // closed when the line is over and no task is left
}

// Dial returns a line to a server. It does not connect: the first message does.
func Dial(address string, opts LineOptions) (*Line, error) {
	server, err := origin.New(address, origin.Options{Client: opts.Client, Header: opts.Header, Authorize: opts.Authorize})
	if err != nil {
		return nil, err
	}
	opts.setDefaults()
	return &Line{
		server: server, opts: opts,
		inbox:  newInbox(opts.MaxUnread),
		places: make(chan struct{}, opts.MaxStreams),
		ended:  make(chan struct{}),
		tasks:  map[*task]struct{}{},
		rest:   make(chan struct{}),
	}, nil
}

// Receive implements transport.Line.
func (l *Line) Receive() ([]byte, error) { return l.inbox.take() }

// Assume implements transport.Line.
func (l *Line) Assume(rev *mcp.Revision) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rev = rev
}

// CancelsByContext implements transport.Line. Before a revision was agreed, too,
// nothing else cancels: a request is either modern, or the initialize that is
// never cancelled.
func (l *Line) CancelsByContext() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rev == nil || l.rev.Modern
}

// partingTime is how long a server has to answer the end of its session.
const partingTime = 5 * time.Second

// Close implements transport.Line. It ends what is under way and then the
// session, where there is one; a server that does not let its clients do that is
// no error.
func (l *Line) Close(ctx context.Context) error {
	l.mu.Lock()
	first, hadSession := l.over != transport.ErrClosed, l.over == nil && l.session != ""
	l.finish(transport.ErrClosed)
	l.mu.Unlock()
	l.inbox.close()
	if !first {
		select {
		case <-l.ended:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	defer close(l.ended)
	defer l.server.Close()
	var err error
	if hadSession {
		parting, cancel := context.WithTimeout(ctx, partingTime)
		defer cancel()
		err = l.endSession(parting)
	}
	select {
	case <-l.rest:
	case <-ctx.Done():
		return ctx.Err()
	}
	return err
}

// endSession tells the server that the client will not come back.
func (l *Line) endSession(ctx context.Context) error {
	s := l.shapeOf(nil)
	resp, err := l.server.Do(ctx, http.MethodDelete, l.server.URL, s.header(), nil)
	if err != nil {
		return fmt.Errorf("ending the session: %w", err)
	}
	defer origin.Discard(resp)
	switch resp.StatusCode {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return nil // it has ended already, or will by itself
	}
	if !origin.Succeeded(resp) {
		return fmt.Errorf("ending the session: %w", origin.Refusal(resp, l.opts.MaxMessage))
	}
	return nil
}

// finish ends all tasks, for a reason that stays; the caller holds mu.
func (l *Line) finish(reason error) {
	if l.over == transport.ErrClosed {
		return
	}
	begun := l.over != nil
	l.over = reason
	for t := range l.tasks {
		t.cancel(reason)
	}
	if !begun && len(l.tasks) == 0 {
		close(l.rest)
	}
}

// forget ends a line whose session is gone, by the refusal that said so.
func (l *Line) forget(refusal *transport.StatusError) error {
	gone := fmt.Errorf("%w: %w", transport.ErrSessionGone, refusal)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over == nil {
		l.finish(gone)
	}
	return gone
}

// A task is something under way: a message and its answer, or the reading of
// news.
type task struct {
	line   *Line
	cancel context.CancelCauseFunc
	detach func() bool // from the context of the caller
	place  bool        // it has one of the places for requests
}

// begin makes a task, whose context ends with that of the caller and with the
// line, and tells which of them it was.
func (l *Line) begin(ctx context.Context) (context.Context, *task, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over != nil {
		return nil, nil, l.over
	}
	work, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	t := &task{line: l, cancel: cancel}
	t.detach = context.AfterFunc(ctx, func() { cancel(ctx.Err()) })
	l.tasks[t] = struct{}{}
	return work, t, nil
}

// takePlace waits until one more request may be in flight.
func (t *task) takePlace(ctx context.Context) error {
	select {
	case t.line.places <- struct{}{}:
		t.place = true
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (t *task) end() {
	t.detach()
	t.cancel(context.Canceled)
	if t.place {
		<-t.line.places
	}
	l := t.line
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.tasks, t)
	if l.over != nil && len(l.tasks) == 0 {
		close(l.rest)
	}
}
