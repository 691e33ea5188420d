package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"mcpworks/internal/jsonschema"
	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/transport"
)

// A Tool is a definition with the code behind it.
type Tool struct {
	mcp.Tool
	// Handler answers a call. An error that is a *jsonrpc.Error becomes a
	// protocol error, a *Failure a failed result with its text; any other
	// error is logged, and the caller learns only that the tool failed.
	Handler func(context.Context, *ToolCall) (*mcp.CallToolResult, error)
	// ChecksArguments says that the handler checks its arguments itself, by a
	// contract that is finer than the schema.
	ChecksArguments bool
}

// A ToolCall is one call of a tool.
type ToolCall struct {
	*Request
	// Arguments are decoded once: strings, booleans, json.Number, []any and
	// map[string]any, nil for null. They fit the tool's schema, unless the
	// tool checks that itself.
	Arguments map[string]any
	// Raw is the same as text; nil if there were no arguments.
	Raw json.RawMessage
}

type registeredTool struct {
	Tool
	input, output *jsonschema.Schema
	headers       []transport.HeaderParam
}

func (t *registeredTool) key() string { return t.Name }

var toolName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)

func (srv *Server) storeTools(tools []Tool) error {
	registered := make([]*registeredTool, len(tools))
	for i, tool := range tools {
		t := &registeredTool{Tool: tool}
		if err := t.compile(); err != nil {
			return declared("tool", tool.Name, err)
		}
		registered[i] = t
	}
	c, err := newCatalog(srv, "tool", "tools", registered, srv.opts.Revisions...)
	if err == nil {
		srv.tools.Store(c)
	}
	return err
}

func (t *registeredTool) compile() (err error) {
	switch {
	case !toolName.MatchString(t.Name):
		return errors.New("a name is 1 to 64 letters, digits, underscores, hyphens and dots")
	case t.Description == "":
		return errors.New("needs a description")
	case t.Handler == nil:
		return errors.New("needs a handler")
	case len(t.InputSchema) == 0:
		return errors.New("needs an input schema")
	}
	if t.input, err = jsonschema.Compile(t.InputSchema); err != nil {
		return fmt.Errorf("input schema: %w", err)
	}
	if !mcp.IsObjectSchema(t.InputSchema) {
		return errors.New(`input schema: the root needs "type":"object"`)
	}
	if t.headers, err = headerParams(t.InputSchema); err != nil {
		return fmt.Errorf("input schema: %w", err)
	}
	if t.OutputSchema != nil {
		if t.output, err = jsonschema.Compile(t.OutputSchema); err != nil {
			return fmt.Errorf("output schema: %w", err)
		}
	}
	return nil
}

func (srv *Server) listTools(_ context.Context, r *Request) (mcp.Result, error) {
	return srv.tools.Load().page(r)
}

func (srv *Server) callTool(ctx context.Context, r *Request) (mcp.Result, error) {
	if rawjson.KindOf(r.params.name) != rawjson.StringKind {
		return nil, invalidParams("Invalid tools/call params: name must be a string")
	}
	tool, ok := srv.tools.Load().findRaw(r.params.name)
	if !ok {
		return nil, srv.unknownTool(r.Target())
	}
	if err := r.takeAnswers(); err != nil {
		return nil, err
	}
	call, err := newToolCall(r)
	if err != nil {
		return nil, err
	}
	if !tool.ChecksArguments {
		if violations := tool.input.Validate(call.Arguments); len(violations) > 0 {
			return srv.badArguments(tool.Name, violations)
		}
	}
	result, err := tool.Handler(ctx, call)
	if err != nil {
		return nil, err
	}
	return tool.checked(r, result), nil
}

func newToolCall(r *Request) (*ToolCall, error) {
	call := &ToolCall{Request: r, Raw: r.params.arguments}
	switch rawjson.KindOf(call.Raw) {
	case rawjson.Invalid, rawjson.Null:
		call.Arguments, call.Raw = map[string]any{}, nil
		return call, nil
	case rawjson.Object:
		arguments, err := rawjson.Decode(call.Raw)
		if err != nil {
			return nil, invalidParams("Invalid tools/call params: " + err.Error())
		}
		call.Arguments = arguments.(map[string]any)
		return call, nil
	}
	return nil, invalidParams("Invalid tools/call params: arguments must be an object")
}

// checked holds a tool to its output schema.
func (t *registeredTool) checked(r *Request, result *mcp.CallToolResult) mcp.Result {
	if t.output == nil || result.IsError {
		return result
	}
	text, err := rawjson.Append(nil, result.Structured)
	var violations []Violation
	if err == nil {
		err = rawjson.Check(text, rawjson.Limits{Depth: r.session.srv.json.Depth})
	}
	if err == nil {
		var value any
		if value, err = rawjson.Decode(text); err == nil {
			violations = t.output.Validate(value)
		}
	}
	if err == nil && len(violations) == 0 {
		kept := *result
		kept.Structured = json.RawMessage(text)
		return &kept
	}
	r.session.srv.opts.Log.Error("tool broke its output schema", "tool", t.Name, "violations", violations, "error", err)
	return mcp.ErrorResult("the tool " + t.Name + " failed: its result does not fit its output schema")
}

func (srv *Server) unknownTool(name string) error {
	if srv.opts.UnknownTool != nil {
		return srv.opts.UnknownTool(name)
	}
	return invalidParams("Unknown tool: " + shorten(name))
}

func (srv *Server) badArguments(tool string, violations []Violation) (mcp.Result, error) {
	if srv.opts.BadArguments != nil {
		return srv.opts.BadArguments(tool, violations)
	}
	var text strings.Builder
	text.WriteString("invalid arguments for " + tool + ":")
	for _, v := range violations {
		path := v.Path
		if path == "" {
			path = "arguments"
		}
		text.WriteString("\n- " + path + " " + v.Message)
	}
	return mcp.ErrorResult(text.String()), nil
}
