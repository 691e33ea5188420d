package server

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// answer runs the handler of a request and sends what it says.
func (r *Request) answer(ctx context.Context) {
	defer r.cancel()
	if ctx.Err() != nil && !r.live() {
		return // cancelled while it waited
	}
	result, err := r.run(ctx)
	if r.listen != nil && err == nil {
		return // answered when the subscription ends
	}
	r.respond(ctx, result, err)
}

func (r *Request) live() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.over
}

// run calls the handler; a panic there is an internal error here.
func (r *Request) run(ctx context.Context) (result mcp.Result, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			r.session.srv.opts.Log.Error("handler panicked", "method", r.name, "panic", cause, "stack", string(debug.Stack()))
			result, err = nil, &jsonrpc.Error{Code: jsonrpc.InternalError, Message: "internal error"}
		}
	}()
	return r.session.srv.handle(ctx, r)
}

// buffers hold encoded messages until the connection has taken them.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// keepBuffer is the largest buffer worth keeping.
const keepBuffer = 1 << 20

// respond sends the answer, unless the request was cancelled.
func (r *Request) respond(ctx context.Context, result mcp.Result, err error) {
	s := r.session
	if !r.finish() {
		return
	}
	s.mu.Lock()
	delete(s.inFlight, r.id)
	s.mu.Unlock()

	buf := buffers.Get().(*[]byte)
	msg := (*buf)[:0]
	if err == nil {
		msg, err = r.appendResult(msg, result)
	}
	var outcome transport.Outcome
	if err != nil {
		wire := r.wireError(err)
		outcome.Code = wire.Code
		msg = jsonrpc.AppendErrorResponse(msg[:0], r.id, wire, false)
	}
	_ = r.out.Answer(ctx, msg, outcome)
	if cap(msg) <= keepBuffer {
		*buf = msg
		buffers.Put(buf)
	}
}

// wireError turns a handler's error into what the client may see.
func (r *Request) wireError(err error) *jsonrpc.Error {
	var wire *jsonrpc.Error
	var failure *Failure
	switch {
	case errors.As(err, &wire):
		if wire.Cause != nil {
			r.session.srv.opts.Log.Info("request failed", "method", r.name, "error", wire, "cause", wire.Cause)
		}
		return wire
	case errors.As(err, &failure):
		return &jsonrpc.Error{Code: jsonrpc.InternalError, Message: failure.Text}
	case errors.Is(err, ErrNotFound):
		uri, _ := rawjson.String(r.params.uri)
		return mcp.ResourceNotFound(r.rev, uri)
	}
	r.session.srv.opts.Log.Error("request failed", "method", r.name, "error", err)
	return &jsonrpc.Error{Code: jsonrpc.InternalError, Message: "internal error"}
}

// A cacheable result tells modern clients how long it stays true.
type cacheable struct {
	mcp.Result
	cache mcp.Cache
}

// appendResult appends the whole response: the result's own members, and those
// that the revision gives to every result.
func (r *Request) appendResult(dst []byte, result mcp.Result) ([]byte, error) {
	dst = append(jsonrpc.AppendResponse(dst, r.id), '{')
	start := len(dst)
	dst, err := result.AppendMembers(dst, r.rev)
	if err != nil {
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

// A Failure is the domain saying no: Text is for the caller, Cause for the log.
// A tool that returns one answers with a failed result.
type Failure struct {
	Text  string
	Cause error
}

func (f *Failure) Error() string { return f.Text }

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Cause }

// ErrNotFound is returned by a resource's Read when nothing is there.
var ErrNotFound = errors.New("resource not found")

// finish marks a request as over and reports whether it was not so before. An
// answer may be sent only by the one who finished the request.
func (r *Request) finish() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	first := !r.over
	r.over = true
	return first
}
