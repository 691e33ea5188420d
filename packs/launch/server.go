package launch

import (
	"context"
	"encoding/json"
	"errors"

	"mcpworks/internal/rawjson"
	"mcpworks/internal/version"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/server"
)

const instructions = "Launches products: turns a repository into pages of a site and a pull request. Start a run with launch_run, follow it with " +
	"get_run_status, read what it has made with get_artifact. A run stops when it is ready for its pull request."

// A face is the MCP server of a launcher.
type face struct{ *Launcher }

// Server returns a server for any number of connections. Limits count for each
// connection by itself.
func (l *Launcher) Server() (*server.Server, error) {
	f := &face{l}
	opts := server.Options{
		Info:          mcp.Implementation{Name: Name, Title: "FOSS launcher", Version: version.Number},
		Instructions:  instructions,
		KeepOrder:     true,
		Resources:     f.resources(),
		Templates:     f.templates(),
		ListResources: f.listRuns,
		PageSize:      pageOfResources,
		UnknownTool:   func(name string) error { return unknownTool(name) },
		Connect:       f.connect,
		Dialect:       &server.Dialect{Error: f.refusal, NullID: true},
		Middleware:    []func(server.Handler) server.Handler{f.answer},
		Limits:        server.Limits{Calls: 2 * l.cfg.InFlight}, // those above the limit are told so
		Drain:         disconnectGrace,
		DrainOnStop:   l.cfg.Grace,
		Log:           l.cfg.Log,
		Now:           l.cfg.Now,
	}
	for _, entry := range catalogue {
		for _, name := range entry.all() {
			opts.Tools = append(opts.Tools, server.Tool{Tool: entry.definition(name), Handler: f.handler(entry), ChecksArguments: true})
		}
	}
	return server.New(opts)
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
// and written down.
func (f *face) answer(next server.Handler) server.Handler {
	return func(ctx context.Context, r *server.Request) (mcp.Result, error) {
		if r.Method() == mcp.MethodCallTool {
			return f.answerCall(ctx, r, next)
		}
		result, err := next(ctx, r)
		if _, told := errors.AsType[*jsonrpc.Error](err); err == nil || told {
			return result, err
		}
		return nil, f.unread(r, err)
	}
}

// called is the call that a request is; its arguments are not known yet.
func (f *face) called(r *server.Request) *call {
	from := r.Connection().(*connection)
	return &call{tool: r.Target(), requestID: newRequestID(), connection: from.id, identity: r.Principal(), arguments: json.RawMessage("{}")}
}

func (f *face) answerCall(ctx context.Context, r *server.Request, next server.Handler) (mcp.Result, error) {
	c := f.called(r)
	o := f.observe(c, r)
	result, err := f.limited(context.WithValue(ctx, observationKey{}, o), r, next)
	if err == nil {
		o.end(result, nil)
		return f.finished(c, result), nil
	}
	if wire, ok := errors.AsType[*jsonrpc.Error](err); ok { // the core has refused the params
		err = ofCore(wire, wire.Message)
	}
	failed := f.explain(c, err)
	o.end(nil, failed)
	if f.cfg.ErrorsAsResults {
		return f.failedResult(failed)
	}
	return nil, failed.wire()
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
