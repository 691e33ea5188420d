package streamable

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"mcpworks/internal/bounded"
	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/origin"
)

// Send implements transport.Line. Before a revision was agreed, a message is
// modern if it describes itself, and legacy otherwise.
func (l *Line) Send(ctx context.Context, out transport.Outgoing) error {
	work, t, err := l.begin(ctx)
	if err != nil {
		return err
	}
	e := &exchange{line: l, task: t, out: out, shape: l.shapeOf(out.Frame)}
	defer func() {
		if !e.lingers {
			t.end()
		}
	}()
	if out.IsRequest() { // the others never wait for requests, which may wait for them
		if err := t.takePlace(work); err != nil {
			return err
		}
	}
	return e.run(work)
}

// An exchange is one message and what comes back for it.
type exchange struct {
	line    *Line
	task    *task
	out     transport.Outgoing
	shape   shape
	lingers bool // the task goes on when the exchange is over
}

func (e *exchange) run(ctx context.Context) error {
	l := e.line
	resp, err := l.post(ctx, e.shape, &e.out)
	if err != nil {
		return err
	}
	if !origin.Succeeded(resp) {
		defer origin.Discard(resp)
		return e.refused(resp)
	}
	if !e.shape.modern {
		if e.out.Method == mcp.MethodInitialize {
			l.adopt(resp.Header.Get(headerSession))
		}
		l.listen(e.out.Method == mcp.NotifyInitialized)
	}
	if e.out.IsRequest() && origin.Is(resp, "text/event-stream") {
		return e.readStream(ctx, resp)
	}
	defer origin.Discard(resp)
	if !e.out.IsRequest() {
		return nil
	}
	return e.readBody(ctx, resp)
}

// refused makes an error of a status. With a session, one of them says that it
// is gone.
func (e *exchange) refused(resp *http.Response) error {
	refusal := origin.Refusal(resp, e.line.opts.MaxMessage)
	if e.shape.session != "" && resp.StatusCode == http.StatusNotFound {
		return e.line.forget(refusal)
	}
	return refusal
}

// adopt keeps the session that a server opened.
func (l *Line) adopt(session string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.session = session
}

// readBody takes an answer that is not a stream.
func (e *exchange) readBody(ctx context.Context, resp *http.Response) error {
	l := e.line
	body, cut, err := bounded.Read(resp.Body, l.opts.MaxMessage)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return origin.Lost(err)
	case len(body) == 0:
		return origin.Lost(fmt.Errorf("HTTP status %d without a message", resp.StatusCode))
	case !origin.Is(resp, "application/json"):
		return origin.WrongContent(resp, body)
	case cut:
		return origin.Lost(&transport.FrameError{Limit: int(l.opts.MaxMessage)})
	}
	switch judge(body, e.out.ID) {
	case theAnswer:
		return l.inbox.put(ctx, body)
	case namelessError:
		return &transport.StatusError{Status: resp.StatusCode, Body: body, JSON: true}
	}
	return origin.WrongContent(resp, body)
}

// A verdict says what a frame is to an exchange.
type verdict int

const (
	noise         verdict = iota // no JSON
	other                        // JSON of any kind
	theAnswer                    // to the request, or an array that has it
	namelessError                // to a request that could not be read
)

// judge looks for an answer to id, which is only as sound as it must be to be
// known as one: what else is wrong with it is up to the receiver.
func judge(frame []byte, id jsonrpc.ID) verdict {
	if rawjson.Check(frame, rawjson.Limits{}) != nil {
		return noise
	}
	if batch, ok := jsonrpc.Batch(frame); ok {
		if slices.ContainsFunc(batch, func(element []byte) bool { return judgeOne(element, id) == theAnswer }) {
			return theAnswer
		}
		return other
	}
	return judgeOne(frame, id)
}

func judgeOne(frame []byte, id jsonrpc.ID) verdict {
	if rawjson.KindOf(frame) != rawjson.Object || rawjson.Member(frame, "method") != nil {
		return other
	}
	raw := rawjson.Member(frame, "id")
	switch named, ok := jsonrpc.ParseID(raw); {
	case ok && named == id && !id.IsZero():
		return theAnswer
	case (raw == nil || rawjson.KindOf(raw) == rawjson.Null) && rawjson.Member(frame, "error") != nil:
		return namelessError
	}
	return other
}

// readStream takes an answer that is the last message of a stream, over as many
// connections as it takes.
func (e *exchange) readStream(ctx context.Context, resp *http.Response) error {
	f := &feed{line: e.line}
	for {
		f.open(resp)
		err := f.read(ctx, e.out.ID)
		switch refusal := (*transport.StatusError)(nil); {
		case err == nil:
			e.linger(ctx, f)
			return nil
		case errors.As(err, &refusal):
			f.close()
			return err
		}
		f.close()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if e.shape.modern || f.lastID == "" || !isEventID(f.lastID) || f.complete(err) {
			return origin.Lost(f.reason(err))
		}
		if resp, err = f.comeBack(ctx, e.line.shapeOf(nil), err); err != nil {
			return err
		}
	}
}

// lingerTime is how long a stream may go on behind its answer.
const lingerTime = time.Second

// linger reads the stream to its end, which should follow the answer, so that
// its connection can be used again. The sender need not wait for that.
func (e *exchange) linger(ctx context.Context, f *feed) {
	e.lingers = true
	e.task.detach()
	timer := time.AfterFunc(lingerTime, func() { e.task.cancel(context.DeadlineExceeded) })
	go func() {
		defer e.task.end()
		defer f.close()
		defer timer.Stop()
		for f.read(ctx, e.out.ID) == nil { // another answer, even
		}
	}()
}
