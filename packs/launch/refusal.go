package launch

import (
	"errors"
	"maps"

	"mcpworks/internal/bounded"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/server"
)

// maxURI is how much of a URI is repeated.
const maxURI = 2048

// unread is the error of a resource that was not read. What is not there has the
// code of its revision (18.15).
func (f *face) unread(r *server.Request, err error) error {
	if errors.Is(err, server.ErrNotFound) {
		err = &Error{Code: ArtifactNotFound, Message: "there is no such resource"}
	}
	e := f.explain(&call{requestID: newRequestID()}, err)
	e.Tool = ""
	if e.Cause != nil {
		f.cfg.Log.Info("a request failed", "method", r.Method(), "request_id", e.RequestID, "error_code", e.errorCode(), "cause", f.Redact(e.Cause.Error()))
	}
	wire := e.wire()
	if e.Code == RunNotFound || e.Code == ArtifactNotFound {
		data := e.data()
		data.URI = f.Redact(bounded.Runes(r.Target(), maxURI))
		wire.Code, wire.Data = r.Revision().ResourceNotFound, data
	}
	return wire
}

// refusal gives errors of the core the data that every error has (18.15). What
// the protocol says in data of its own stays there. A call of a tool that the core
// has refused is recorded here: it has come no further (S-37).
func (f *face) refusal(r *server.Request, wire *jsonrpc.Error) *jsonrpc.Error {
	if _, ours := wire.Data.(errorData); ours {
		return wire
	}
	told := *wire
	told.Message = f.Redact(wire.Message)
	e := ofCore(wire, told.Message)
	if r != nil && r.Method() == mcp.MethodCallTool {
		c := f.called(r)
		e = f.explain(c, e)
		f.observe(c, r).end(nil, e)
	}
	data := e.data()
	told.Data = data
	if own, ok := wire.Data.(map[string]any); ok {
		members := map[string]any{"error_code": data.ErrorCode, "code": data.Code, "retryable": data.Retryable, "details": data.Details}
		if safe, ok := f.engine.RedactValue(own).(map[string]any); ok {
			maps.Copy(members, safe)
		}
		told.Data = members
	}
	return &told
}

// ofCore is an error of the core, as the list has it, in words that may be told.
func ofCore(wire *jsonrpc.Error, message string) *Error {
	e := &Error{Code: Internal, Message: message, Cause: wire.Cause}
	switch {
	case wire == server.ErrClosing:
		e.Code = ShuttingDown
	case wire == server.ErrBusy:
		e.Code = RateLimited
	case wire.Code == jsonrpc.ParseError:
		e.Code = ParseError
	case wire.Code == jsonrpc.MethodNotFound:
		e.Code = MethodNotFound
	case wire.Code == jsonrpc.InvalidParams:
		e.Code = SchemaValidationFailed
		e.Details = map[string]any{"violations": []violation{{"", "type", message}}}
	case wire.Code == jsonrpc.InvalidRequest, wire.Code == mcp.CodeHeaderMismatch, wire.Code == mcp.CodeUnsupportedVersion:
		e.Code = InvalidRequest
	}
	return e
}
