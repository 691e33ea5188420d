package streamable

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/eventstream"
	"mcpworks/mcp/transport/origin"
)

// The pace at which a client comes back to a stream: the wait doubles with each
// failure in a row, and is never shorter than the server wants it.
const (
	firstWait   = time.Second
	leastWait   = 100 * time.Millisecond // whatever the server says
	longestWait = 30 * time.Second       // of the client's own accord
	mostWait    = 24 * time.Hour         // of the server's
	maxFailures = 6                      // in a row
	steadyTime  = 5 * time.Second        // a stream that lasted so long was none
	maxEventID  = 4 << 10                // of a header
)

// A feed is a stream of events, over as many connections as it takes.
type feed struct {
	line   *Line
	body   io.Closer
	events *eventstream.Reader

	lastID   string
	retry    time.Duration // that the server wants, if it does
	busy     time.Duration // that it wants this once
	failures int
	fault    error // the first thing on the stream that was no message
}

// open begins to read a connection.
func (f *feed) open(resp *http.Response) {
	f.body, f.events = resp.Body, eventstream.NewReader(resp.Body, int(f.line.opts.MaxMessage))
	f.events.Continue(f.lastID)
}

func (f *feed) close() { _ = f.body.Close() }

// read hands messages to the inbox until the answer to id was one of them. It
// fails when there is none: with the error of the connection, or the one that
// the server sent instead. With a zero id it reads to the end.
func (f *feed) read(ctx context.Context, id jsonrpc.ID) error {
	for {
		ev, err := f.events.Next()
		f.note(err)
		switch {
		case errors.Is(err, eventstream.ErrTooLong):
			f.complain(&transport.FrameError{Limit: int(f.line.opts.MaxMessage)})
			continue
		case err != nil:
			return err
		case ev.Type != "message", len(ev.Data) == 0: // nothing of the protocol, or just an id
			continue
		}
		kind := judge(ev.Data, id)
		switch {
		case kind == noise:
			f.complain(&transport.ContentError{Type: "text/event-stream", Body: origin.Excerpt(ev.Data)})
		case kind == namelessError && !id.IsZero():
			return &transport.StatusError{Status: http.StatusOK, Body: ev.Data, JSON: true}
		}
		if err := f.line.inbox.put(ctx, ev.Data); err != nil || kind == theAnswer {
			return err
		}
	}
}

// note keeps what is needed to come back. A word of any kind shows that it was
// of use to have come.
func (f *feed) note(err error) {
	id := f.events.LastID()
	wait, said := f.events.Retry()
	if said {
		f.retry = min(max(wait, leastWait), mostWait)
	}
	if err == nil || said || id != f.lastID {
		f.failures = 0
	}
	f.lastID = id
}

// isEventID says whether a header can carry the id of an event.
func isEventID(id string) bool {
	for _, c := range []byte(id) {
		if c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return len(id) <= maxEventID
}

// complain remembers what kept an answer from being read, should it not come.
func (f *feed) complain(fault error) {
	f.line.opts.Log.Debug("the server sent an event that is no message", "error", fault)
	if f.fault == nil {
		f.fault = fault
	}
}

// complete says whether a stream that ended in order brought an answer that
// could not be read, so that nothing would be left of it to come back for.
func (f *feed) complete(err error) bool {
	return errors.Is(err, io.EOF) && errors.As(f.fault, new(*transport.FrameError))
}

// reason is why there was no answer.
func (f *feed) reason(err error) error {
	if f.fault != nil {
		return f.fault
	}
	return err
}

// pause waits as long as is due before the next connection, or until ctx ends.
func (f *feed) pause(ctx context.Context) error {
	wait := firstWait
	if f.retry > 0 {
		wait = f.retry
	}
	if wait < longestWait {
		wait = min(wait<<f.failures, longestWait)
	}
	wait, f.busy = max(wait, f.busy), 0
	timer := time.NewTimer(wait + rand.N(wait/4+1))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// comeBack opens the stream of an answer again, behind what was read of it.
func (f *feed) comeBack(ctx context.Context, s shape, why error) (*http.Response, error) {
	for f.failures < maxFailures {
		if err := f.pause(ctx); err != nil {
			return nil, err
		}
		f.failures++
		resp, err := f.line.openStream(ctx, s, f.lastID)
		switch {
		case err == nil:
			return resp, nil
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case !f.passes(err):
			return nil, origin.Lost(err)
		}
		why = err
	}
	return nil, origin.Lost(f.reason(why))
}

// passes says whether a failure to open a stream may be over the next time.
func (f *feed) passes(err error) bool {
	refusal, content := (*transport.StatusError)(nil), (*transport.ContentError)(nil)
	switch {
	case errors.As(err, &content):
		return false
	case !errors.As(err, &refusal):
		return true
	}
	switch refusal.Status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests,
		http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		if seconds, err := strconv.Atoi(refusal.RetryAfter); err == nil && seconds > 0 {
			f.busy = min(time.Duration(seconds), mostWait/time.Second) * time.Second
		}
		return true
	}
	return false
}

// openStream makes the GET for a stream, from its beginning or behind an event.
func (l *Line) openStream(ctx context.Context, s shape, lastID string) (*http.Response, error) {
	header := s.header()
	header.Set("Accept", "text/event-stream")
	if lastID != "" && isEventID(lastID) {
		header.Set(headerLastEvent, lastID)
	}
	resp, err := l.server.Do(ctx, http.MethodGet, l.server.URL, header, nil)
	switch {
	case err != nil:
		return nil, err
	case !origin.Succeeded(resp):
		defer origin.Discard(resp)
		return nil, origin.Refusal(resp, l.opts.MaxMessage)
	case !origin.Is(resp, "text/event-stream"):
		defer origin.Discard(resp)
		return nil, origin.WrongContent(resp, nil)
	}
	return resp, nil
}
