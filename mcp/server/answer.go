package server

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// A lifetime says who may still send for a request. Whoever sends something
// before the answer holds mu meanwhile, so that it cannot come after; the
// answer is sent by the one who set answered; and once a request is cancelled,
// nothing is sent at all. To cancel needs no lock: a client that does not read
// must not keep itself from being heard.
type lifetime struct {
	mu        sync.Mutex
	answered  bool
	cancelled atomic.Bool
}

// over says whether nothing more may be sent; the caller holds mu.
func (l *lifetime) over() bool { return l.answered || l.cancelled.Load() }

// finish reports whether the caller is the one to send the answer.
func (l *lifetime) finish() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	mine := !l.over()
	l.answered = true
	return mine
}

// answer runs the handler of a request and sends what it says.
func (r *Request) answer(ctx context.Context) {
	defer r.cancel()
	if r.lifetime.cancelled.Load() {
		return // while it waited
	}
	result, err := r.run(ctx)
	if r.listen != nil && err == nil {
		return // answered when the subscription ends
	}
	r.respond(ctx, result, err)
}

// run calls the handler. An error that it returns is a *jsonrpc.Error.
func (r *Request) run(ctx context.Context) (result mcp.Result, err error) {
	defer r.recovered(&err)
	if result, err = r.session.srv.handle(ctx, r); err != nil {
		return r.explain(ctx, err)
	}
	return result, nil
}

// recovered turns a panic of a handler, or of what it returned, into an
// internal error.
func (r *Request) recovered(err *error) {
	if cause := recover(); cause != nil {
		r.session.srv.opts.Log.Error("handler panicked", "method", r.methodName, "panic", cause, "stack", string(debug.Stack()))
		*err = errInternal
	}
}

// buffers hold encoded messages until the connection has taken them.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// keepBuffer is the largest buffer worth keeping.
const keepBuffer = 1 << 20

// respond sends the answer, unless the request was cancelled.
func (r *Request) respond(ctx context.Context, result mcp.Result, err error) {
	s := r.session
	if !r.lifetime.finish() {
		return
	}
	s.mu.Lock()
	if s.inFlight[r.id] == r { // and not a later one that uses the id again
		delete(s.inFlight, r.id)
	}
	s.mu.Unlock()

	buf := buffers.Get().(*[]byte)
	msg := (*buf)[:0]
	if err == nil {
		msg, err = r.appendResult(msg, result)
	}
	var outcome transport.Outcome
	if err != nil {
		msg, outcome.Code = r.appendError(msg[:0], err)
		outcome.Busy = transport.IsBusy(err)
	}
	_ = r.out.Answer(ctx, msg, outcome)
	if cap(msg) <= keepBuffer {
		*buf = msg
		buffers.Put(buf)
	}
}

// appendError appends the whole response for an error.
func (r *Request) appendError(dst []byte, err error) ([]byte, int) {
	wire := errInternal
	errors.As(err, &wire)
	msg, bad := r.tryError(dst, wire)
	if bad != nil {
		wire = errInternal
		msg = jsonrpc.AppendErrorResponse(dst, r.id, wire, false)
	}
	return msg, wire.Code
}

// tryError appends an error whose data may be made by code of the handler.
func (r *Request) tryError(dst []byte, wire *jsonrpc.Error) (msg []byte, err error) {
	defer r.recovered(&err)
	return jsonrpc.AppendErrorResponse(dst, r.id, r.session.srv.dialect.tell(r, wire), false), nil
}

// A cacheable result tells modern clients how long it stays true.
type cacheable struct {
	mcp.Result
	cache mcp.Cache
}

// appendResult appends the whole response: the result's own members, and those
// that the revision gives to every result.
func (r *Request) appendResult(dst []byte, result mcp.Result) (_ []byte, err error) {
	defer r.recovered(&err)
	dst = append(jsonrpc.AppendResponse(dst, r.id), '{')
	start := len(dst)
	if dst, err = result.AppendMembers(dst, r.rev); err != nil {
		return dst, err
	}
	comma := func() {
		if len(dst) > start {
			dst = append(dst, ',')
		}
	}
	if r.rev.Modern {
		comma()
		dst = r.appendModernMembers(dst, result)
	}
	if meta := r.resultMeta(result); meta != nil {
		comma()
		dst = append(append(dst, `"_meta":`...), meta...)
	}
	return append(dst, "}}"...), nil
}

func (r *Request) appendModernMembers(dst []byte, result mcp.Result) []byte {
	if _, ok := result.(*inputRequired); ok {
		return append(dst, `"resultType":"input_required"`...)
	}
	dst = append(dst, `"resultType":"complete"`...)
	hints, ok := result.(cacheable)
	if !ok || r.retried {
		return dst
	}
	o := rawjson.Begin(nil)
	o.Int("ttlMs", max(hints.cache.TTLMillis, 0))
	if hints.cache.Public {
		o.String("cacheScope", "public")
	} else {
		o.String("cacheScope", "private")
	}
	members := o.End()
	return append(append(dst, ','), members[1:len(members)-1]...)
}

// resultMeta returns the _meta object of a result, or nil.
func (r *Request) resultMeta(result mcp.Result) []byte {
	own := result.ResultMeta()
	switch {
	case len(own) == 0 && r.rev.Modern:
		return r.session.srv.serverMeta
	case len(own) == 0:
		return nil
	}
	merged := mcp.Meta{}
	if r.rev.Modern {
		for name, value := range rawjson.Members(r.session.srv.serverMeta) {
			merged[string(name)] = value
		}
	}
	for name, value := range own {
		merged[name] = value
	}
	return merged.AppendJSON(nil)
}
