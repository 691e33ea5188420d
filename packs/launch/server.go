package launch

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"sync"

	"mcpworks/internal/rawjson"
	"mcpworks/internal/version"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/server"
)

const instructions = "Launches products: turns a repository into pages of a site and a pull request. Start a run with launch_run, follow it with " +
	"get_run_status, read what it has made with get_artifact. A run stops when it is ready for its pull request."

// A face is the server for one connection: limits count for it alone.
type face struct {
	*Launcher
	connection string
	calls      *window
	srv        *server.Server

	mu     sync.Mutex
	listed []string // the resources of the last list
}

// Server returns a server for one connection.
func (l *Launcher) Server() (*server.Server, error) {
	f := &face{Launcher: l, connection: "conn_" + rand.Text(), calls: newWindow(l.cfg.CallsPerMinute, l.cfg.Now)}
	opts := server.Options{
		Info:         mcp.Implementation{Name: Name, Title: "FOSS launcher", Version: version.Number},
		Instructions: instructions,
		KeepOrder:    true,
		Templates:    f.templates(),
		ListChanged:  true, // the list of resources grows with the runs
		PageSize:     pageOfResources,
		UnknownTool:  func(name string) error { return unknownTool(name) },
		Dialect:      &server.Dialect{Closing: (&Error{Code: ShuttingDown, Message: "the server is about to end"}).wire()},
		Middleware:   []func(server.Handler) server.Handler{f.answer},
		Limits:       server.Limits{Calls: 2 * l.cfg.InFlight}, // those above the limit are told so
		Drain:        disconnectGrace,
		DrainOnStop:  l.cfg.Grace,
		Log:          l.cfg.Log,
		Now:          l.cfg.Now,
	}
	for _, entry := range catalogue {
		for _, name := range entry.all() {
			opts.Tools = append(opts.Tools, server.Tool{Tool: entry.definition(name), Handler: f.handler(entry), ChecksArguments: true})
		}
	}
	var err error
	f.srv, err = server.New(opts)
	return f.srv, err
}

type observationKey struct{}

// handler answers calls of a tool. Arguments are checked here and not by the
// core, so that calls with wrong ones are recorded with them.
func (f *face) handler(e entry) func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) {
	return func(ctx context.Context, asked *server.ToolCall) (*mcp.CallToolResult, error) {
		o := ctx.Value(observationKey{}).(*observation)
		c := o.call
		c.progress = asked.Progress
		if asked.Raw != nil {
			c.arguments = asked.Raw
		}
		o.begin()
		if violations := f.inputs[c.tool].Validate(asked.Arguments); len(violations) > 0 {
			return nil, invalidArguments(c.tool, violations)
		}
		answer, err := f.perform(ctx, e, c)
		if err != nil {
			return nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text{Text: string(answer)}}, Structured: answer}, nil
	}
}

// answer stands before all methods. Calls of tools are counted, limited, named
// and written down; every error gets its data (18.15).
func (f *face) answer(next server.Handler) server.Handler {
	return func(ctx context.Context, r *server.Request) (mcp.Result, error) {
		switch r.Method() {
		case mcp.MethodCallTool:
			return f.answerCall(ctx, r, next)
		case mcp.MethodListResources:
			f.refreshResources(ctx)
		}
		result, err := next(ctx, r)
		if err != nil {
			return nil, f.wireError(r, &call{requestID: newRequestID()}, err)
		}
		return result, nil
	}
}

func (f *face) answerCall(ctx context.Context, r *server.Request, next server.Handler) (mcp.Result, error) {
	c := &call{tool: r.Target(), requestID: newRequestID(), connection: f.connection, arguments: json.RawMessage("{}")}
	o := f.observe(c, r)
	result, err := f.limited(context.WithValue(ctx, observationKey{}, o), r, next)
	if err == nil {
		o.end(result, nil)
		return f.finished(c, result), nil
	}
	if wire, ok := errors.AsType[*jsonrpc.Error](err); ok { // the core has refused the params
		err = ofCore(wire)
	}
	failed := f.explain(c, err)
	o.end(nil, failed)
	if f.cfg.ErrorsAsResults {
		return f.failedResult(failed)
	}
	return nil, failed.wire()
}

// limited lets a call through if its connection has not asked too much (14.2,
// 14.5).
func (f *face) limited(ctx context.Context, r *server.Request, next server.Handler) (mcp.Result, error) {
	if wait, ok := f.calls.enter(); !ok {
		return nil, &Error{Code: RateLimited, Message: "too many calls in a minute", RetryAfter: wait, Details: map[string]any{"limit": f.cfg.CallsPerMinute}}
	}
	leave, ok := f.inside.Enter(f.connection)
	if !ok {
		return nil, &Error{Code: RateLimited, Message: "too many calls at once", Details: map[string]any{"limit": f.cfg.InFlight}}
	}
	defer leave()
	return next(ctx, r)
}

// finished says how the call is named, and that it has not failed (3.3).
func (f *face) finished(c *call, result mcp.Result) mcp.Result {
	called, ok := result.(*mcp.CallToolResult)
	if !ok {
		return result
	}
	named := *called
	named.Meta = mcp.Meta{"request_id": rawjson.AppendString(nil, c.requestID)}
	return outspoken{&named}
}

// An outspoken result also says that it is no error.
type outspoken struct{ *mcp.CallToolResult }

// AppendMembers implements mcp.Result.
func (o outspoken) AppendMembers(dst []byte, rev *mcp.Revision) ([]byte, error) {
	dst, err := o.CallToolResult.AppendMembers(dst, rev)
	if err == nil && !o.IsError {
		dst = append(dst, `,"isError":false`...)
	}
	return dst, err
}

// failedResult is the error as a result, for clients that want it so (C-3).
func (f *face) failedResult(e *Error) (mcp.Result, error) {
	text, err := json.Marshal(struct {
		OK      bool   `json:"ok"`
		Message string `json:"message"`
		errorData
	}{false, e.Message, e.data()})
	if err != nil {
		return nil, err
	}
	return mcp.ErrorResult(string(text)), nil
}

// wireError is the error of a method that is no tool.
func (f *face) wireError(r *server.Request, c *call, err error) error {
	wire, ok := errors.AsType[*jsonrpc.Error](err)
	if ok && wire.Data != nil {
		return err
	}
	notFound := errors.Is(err, server.ErrNotFound)
	switch {
	case ok:
		err = ofCore(wire)
	case notFound:
		err = &Error{Code: ArtifactNotFound, Message: "there is no such resource"}
	}
	e := f.explain(c, err)
	e.Tool = ""
	told := e.wire()
	if notFound || e.Code == RunNotFound || e.Code == ArtifactNotFound {
		told.Code = mcp.ResourceNotFound(r.Revision(), "").Code
	}
	if e.Cause != nil {
		f.cfg.Log.Info("a request failed", "method", r.Method(), "error_code", e.errorCode(), "cause", f.Redact(e.Cause.Error()))
	}
	return told
}

// ofCore is an error of the core, as the list has it.
func ofCore(wire *jsonrpc.Error) *Error {
	e := &Error{Code: Internal, Message: wire.Message, Cause: wire.Cause}
	switch wire.Code {
	case jsonrpc.ParseError:
		e.Code = ParseError
	case jsonrpc.InvalidRequest:
		e.Code = InvalidRequest
	case jsonrpc.MethodNotFound:
		e.Code = MethodNotFound
	case jsonrpc.InvalidParams:
		e.Code = SchemaValidationFailed
		e.Details = map[string]any{"violations": []violation{{"", "type", wire.Message}}}
	}
	return e
}
