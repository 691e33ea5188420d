package sse

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"sync"

	"mcpworks/mcp"
	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/eventstream"
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
	// Log gets what no caller can be told; nil means nowhere.
	Log *slog.Logger
}

func (o *LineOptions) setDefaults() {
	setDefault(&o.MaxMessage, 4<<20)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

// A Line is the client end for one conversation. It implements transport.Line
// and starts no goroutine: messages are read from the stream as they are
// received, and a server that is not listened to has to wait.
type Line struct {
	server *origin.Caller
	opts   LineOptions
	post   *url.URL // where messages go
	stream io.Closer
	events *eventstream.Reader
	hangUp context.CancelCauseFunc
	onEnd  func(func()) (undo func() bool) // has a function called when the line hangs up

	mu      sync.Mutex
	over    error         // final
	sending int           // messages under way
	rest    chan struct{} // closed when the line is closed and nothing is under way
}

// Dial opens the stream and waits until the server has said where messages go.
// A server that has no such stream, as one that does not speak this transport,
// is a *transport.StatusError or a *transport.ContentError.
func Dial(ctx context.Context, address string, opts LineOptions) (*Line, error) {
	server, err := origin.New(address, origin.Options{Client: opts.Client, Header: opts.Header, Authorize: opts.Authorize})
	if err != nil {
		return nil, err
	}
	opts.setDefaults()
	life, hangUp := context.WithCancelCause(context.WithoutCancel(ctx))
	l := &Line{
		server: server, opts: opts, hangUp: hangUp, rest: make(chan struct{}),
		onEnd: func(f func()) func() bool { return context.AfterFunc(life, f) },
	}
	detach := context.AfterFunc(ctx, func() { hangUp(ctx.Err()) })
	err = l.open(life)
	if detach(); err == nil {
		err = context.Cause(life)
	}
	if err != nil {
		hangUp(err)
		server.Close()
		return nil, err
	}
	return l, nil
}

// open makes the GET and reads the first event.
func (l *Line) open(ctx context.Context) error {
	resp, err := l.server.Do(ctx, http.MethodGet, l.server.URL, http.Header{"Accept": {"text/event-stream"}}, nil)
	switch {
	case err != nil:
		return err
	case !origin.Succeeded(resp):
		defer origin.Discard(resp)
		return origin.Refusal(resp, l.opts.MaxMessage)
	case !origin.Is(resp, "text/event-stream"):
		defer origin.Discard(resp)
		return origin.WrongContent(resp, nil)
	}
	l.stream, l.events = resp.Body, eventstream.NewReader(resp.Body, int(l.opts.MaxMessage))
	ev, err := l.events.Next()
	if err == nil && ev.Type != "endpoint" {
		err = origin.WrongContent(resp, ev.Data)
	}
	if err == nil {
		l.post, err = endpoint(resp.Request.URL, string(ev.Data))
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		err = origin.Lost(err)
	}
	_ = resp.Body.Close()
	return err
}

// endpoint reads the address for messages, which must be of the same origin as
// the stream: the server may not send them elsewhere.
func endpoint(stream *url.URL, address string) (*url.URL, error) {
	post, err := stream.Parse(address)
	switch {
	case err != nil:
		return nil, errors.New("the endpoint is no address")
	case post.User != nil && post.User.String() != stream.User.String(), !origin.Same(post, stream):
		return nil, errors.New("the endpoint is of another origin")
	}
	post.Fragment, post.RawFragment, post.User = "", "", stream.User
	return post, nil
}

// Send implements transport.Line. It returns when the server has taken the
// message; what it leads to is received.
func (l *Line) Send(ctx context.Context, out transport.Outgoing) error {
	if err := l.begin(); err != nil {
		return err
	}
	defer l.end()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer l.onEnd(func() { cancel(transport.ErrClosed) })()
	resp, err := l.server.Do(ctx, http.MethodPost, l.post, http.Header{"Content-Type": {"application/json"}}, out.Frame)
	if err != nil {
		return err
	}
	defer origin.Discard(resp)
	if !origin.Succeeded(resp) {
		return origin.Refusal(resp, l.opts.MaxMessage)
	}
	return nil
}

// begin books a message, unless its answer could not come any more.
func (l *Line) begin() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over == nil {
		l.sending++
	}
	return l.over
}

func (l *Line) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sending--; l.over == transport.ErrClosed && l.sending == 0 {
		close(l.rest)
	}
}

// Receive implements transport.Line.
func (l *Line) Receive() ([]byte, error) {
	for {
		ev, err := l.events.Next()
		switch {
		case errors.Is(err, eventstream.ErrTooLong):
			return nil, &transport.FrameError{Limit: int(l.opts.MaxMessage)}
		case err != nil:
			return nil, l.broke(err)
		case ev.Type == "message" && len(ev.Data) > 0:
			return ev.Data, nil
		}
		l.opts.Log.Debug("the server sent an event that is no message", "type", ev.Type)
	}
}

// broke notes that the stream has ended: nothing that is sent from now on could
// be answered.
func (l *Line) broke(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over == nil {
		if l.over = err; !errors.Is(err, io.EOF) {
			l.over = origin.Lost(err)
		}
	}
	return l.over
}

// Assume implements transport.Line. The transport shows no revision.
func (l *Line) Assume(*mcp.Revision) {}

// CancelsByContext implements transport.Line. A request is sent when it has been
// taken, and then only a message cancels it.
func (l *Line) CancelsByContext() bool { return false }

// Close implements transport.Line. The end of the stream is that of the session.
func (l *Line) Close(ctx context.Context) error {
	l.mu.Lock()
	if l.over != transport.ErrClosed {
		if l.over = transport.ErrClosed; l.sending == 0 {
			close(l.rest)
		}
	}
	l.mu.Unlock()
	l.hangUp(transport.ErrClosed)
	_ = l.stream.Close()
	defer l.server.Close()
	select {
	case <-l.rest:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
