package server

import (
	"context"
	"errors"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
)

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

var errInternal = &jsonrpc.Error{Code: jsonrpc.InternalError, Message: "internal error"}

// explain sorts what a handler returned as its error: into a result, or into
// the error that the client may see. What the client may not see is logged
// here. The outermost kind counts: an error of some other service, wrapped in a
// Failure, is that Failure's cause and not our answer.
func (r *Request) explain(ctx context.Context, err error) (mcp.Result, error) {
	log := r.session.srv.opts.Log.With("method", r.methodName, "target", shorten(r.Target()))
	isTool := r.methodName == mcp.MethodCallTool
	for e := err; e != nil; e = errors.Unwrap(e) {
		switch e := e.(type) {
		case *inputRequired:
			return e, nil
		case *jsonrpc.Error:
			if e == nil {
				log.Error("request failed with an error that is nil")
				return nil, errInternal
			}
			if e.Cause != nil {
				log.Info("request failed", "error", e, "cause", e.Cause)
			}
			return nil, r.allowedError(e)
		case *Failure:
			log.Info("request failed", "error", e.Text, "cause", e.Cause)
			if isTool {
				return mcp.ErrorResult(e.Text), nil
			}
			return nil, &jsonrpc.Error{Code: jsonrpc.InternalError, Message: e.Text}
		}
	}
	text := "internal error"
	switch {
	case errors.Is(err, ErrNotFound) && !isTool:
		uri, _ := rawjson.String(r.params.uri)
		return nil, mcp.ResourceNotFound(r.rev, uri)
	case r.lifetime.cancelled.Load(): // nobody will see it
	case errors.Is(err, context.DeadlineExceeded):
		text = "it took too long"
		log.Warn("request failed", "error", err)
	default:
		log.Error("request failed", "error", err)
	}
	if isTool {
		return mcp.ErrorResult("the tool " + shorten(r.Target()) + " failed: " + text), nil
	}
	return nil, errInternal
}

// allowedError keeps a handler's error code within what the revision lets a
// server say: never 0, and in the modern era none of those that belong to the
// protocol.
func (r *Request) allowedError(wire *jsonrpc.Error) *jsonrpc.Error {
	const legacyNotFound = -32002
	allowed := *wire
	switch code := wire.Code; {
	case r.rev.Modern && code == legacyNotFound:
		allowed.Code = r.rev.ResourceNotFound
	case code == 0, r.rev.Modern && isReserved(code):
		r.session.srv.opts.Log.Error("a handler used an error code that is not its own", "method", r.methodName, "error", wire)
		allowed.Code = jsonrpc.InternalError
	}
	return &allowed
}

// isReserved says whether the modern era keeps a code from servers.
func isReserved(code int) bool {
	switch code {
	case mcp.CodeHeaderMismatch, mcp.CodeMissingCapability, mcp.CodeUnsupportedVersion:
		return false
	}
	return code >= -32099 && code <= -32000
}
