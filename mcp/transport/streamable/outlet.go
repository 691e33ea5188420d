package streamable

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"mcpworks/mcp/transport"
)

// An outlet is the response of one POST: JSON if the answer is all there is to
// say, an event stream from the first notification on.
type outlet struct {
	w         http.ResponseWriter
	control   *http.ResponseController
	opts      *Options
	status    func(transport.Outcome) int
	resumable func() *stream // makes the stream that keeps the events; nil without
	batch     bool           // answers are gathered into an array

	mu        sync.Mutex
	events    bool // the response is an event stream
	stream    *stream
	gone      bool          // the client is, or the response is complete
	dropped   chan struct{} // closed when the rest is left for later; nil if that cannot be
	answers   [][]byte
	keepAlive *time.Timer
}

func newOutlet(w http.ResponseWriter, opts *Options) *outlet {
	return &outlet{w: w, control: http.NewResponseController(w), opts: opts}
}

// Notify implements transport.Outlet.
func (o *outlet) Notify(ctx context.Context, msg []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.event(ctx, msg)
}

// Answer implements transport.Outlet.
func (o *outlet) Answer(ctx context.Context, msg []byte, outcome transport.Outcome) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.events:
		return o.event(ctx, msg)
	case o.batch:
		o.answers = append(o.answers, append([]byte(nil), msg...))
		return nil
	}
	if o.gone {
		return errDisconnected
	}
	o.gone = true // nothing follows
	o.hurry(ctx)
	status := o.status(outcome)
	if status == http.StatusTooManyRequests {
		o.w.Header().Set("Retry-After", "1")
	}
	writeJSON(o.w, status, msg)
	return nil
}

// event sends one event; the caller holds mu. With a stream behind it, a client
// that is gone can fetch it later.
func (o *outlet) event(ctx context.Context, msg []byte) error {
	if !o.events {
		if o.gone {
			return errDisconnected
		}
		o.begin(ctx)
	}
	var id string
	if o.stream != nil {
		id = o.stream.add(msg)
	}
	if o.gone {
		if o.stream != nil {
			return nil
		}
		return errDisconnected
	}
	err := o.write(ctx, appendEvent(nil, id, msg))
	if err == nil && o.stream != nil {
		o.stream.delivered()
	}
	return err
}

// begin makes the response an event stream.
func (o *outlet) begin(ctx context.Context) {
	o.events = true
	startEvents(o.w)
	o.keepAlive = time.AfterFunc(o.opts.KeepAlive, o.sayAlive)
	if o.resumable != nil {
		o.stream = o.resumable()
		if o.dropped != nil {
			_ = o.write(ctx, appendEvent(nil, o.stream.add(nil), nil))
		}
	}
	for _, answer := range o.answers { // of a batch
		_ = o.event(ctx, answer)
	}
	o.answers = nil
}

// CloseStream implements transport.StreamCloser.
func (o *outlet) CloseStream(retry time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.gone {
		return
	}
	if !o.events {
		o.begin(context.Background())
	}
	if o.dropped == nil {
		_ = o.control.Flush()
		return // the revision has no way back
	}
	_ = o.write(context.Background(), appendRetry(nil, retry))
	o.gone = true
	close(o.dropped)
}

func (o *outlet) sayAlive() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.gone && o.write(context.Background(), []byte(": alive\n\n")) == nil {
		o.keepAlive.Reset(o.opts.KeepAlive)
	}
}

// hurry gives the client its time to take what comes next.
func (o *outlet) hurry(ctx context.Context) {
	deadline := time.Now().Add(o.opts.StallTimeout)
	if earlier, ok := ctx.Deadline(); ok && earlier.Before(deadline) {
		deadline = earlier
	}
	_ = o.control.SetWriteDeadline(deadline)
}

// write sends text to a client that takes it in time.
func (o *outlet) write(ctx context.Context, text []byte) error {
	o.hurry(ctx)
	_, err := o.w.Write(text)
	if err == nil {
		err = o.control.Flush()
	}
	if err != nil {
		o.gone = true
		return errDisconnected
	}
	return nil
}

// close ends the response. Without any answer the message was a notification,
// or its request was cancelled.
func (o *outlet) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.keepAlive != nil {
		o.keepAlive.Stop()
	}
	if o.stream != nil {
		o.stream.finish()
	}
	if o.gone || o.events {
		o.gone = true
		return
	}
	o.gone = true
	if len(o.answers) == 0 {
		o.w.WriteHeader(http.StatusAccepted)
		return
	}
	o.hurry(context.Background())
	array := []byte{'['}
	for i, answer := range o.answers {
		if i > 0 {
			array = append(array, ',')
		}
		array = append(array, answer...)
	}
	writeJSON(o.w, http.StatusOK, append(array, ']'))
}

func startEvents(w http.ResponseWriter) {
	header := w.Header()
	header["Content-Type"], header["X-Accel-Buffering"] = typeEvents, noBuffer
	w.WriteHeader(http.StatusOK)
}

// appendEvent appends one event. A message is one line of JSON, so it is one
// line of data.
func appendEvent(dst []byte, id string, msg []byte) []byte {
	if id != "" {
		dst = append(dst, "id: "...)
		dst = append(dst, id...)
		dst = append(dst, '\n')
	}
	dst = append(dst, "data: "...)
	dst = append(dst, msg...)
	return append(dst, "\n\n"...)
}

// appendRetry appends how many milliseconds a client should wait before it
// comes back.
func appendRetry(dst []byte, wait time.Duration) []byte {
	dst = append(dst, "retry: "...)
	dst = strconv.AppendInt(dst, wait.Milliseconds(), 10)
	return append(dst, "\n\n"...)
}
