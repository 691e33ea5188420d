package contextengine

import (
	"context"
	"errors"

	"mcpworks/internal/rawjson"
	"mcpworks/internal/version"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/server"
)

// ServerV0 returns the server of the frozen contract (sections 9 to 11):
// revision 2024-11-05, requests answered one after another, every byte as it
// was. Serve it over a connection that takes messages of up to MaxMessage bytes.
func (e *Engine) ServerV0() (*server.Server, error) { return server.New(e.optionsV0(tools)) }

func (e *Engine) optionsV0(tools []*tool) server.Options {
	opts := e.options()
	opts.Revisions = []*mcp.Revision{mcp.V20241105}
	for _, t := range tools {
		opts.Tools = append(opts.Tools, e.offer(t, t.definitionV0(), maxAnswer))
	}
	opts.Dialect = &server.Dialect{Parse: parseV0, TooLong: errParse, Closing: errInternal, InOrder: true, Reinitialize: true}
	opts.UnknownTool = func(name string) error {
		return &jsonrpc.Error{Code: jsonrpc.InvalidParams, Message: "Unknown tool: " + name}
	}
	opts.Middleware = []func(server.Handler) server.Handler{e.answerV0}
	return opts
}

// definitionV0 is the tool as the frozen contract knows it.
func (t *tool) definitionV0() mcp.Tool {
	return mcp.Tool{Name: t.Name, Description: t.Description, InputSchema: t.inputV0}
}

// answerV0 gives results the members, and the order of members, that they have
// in the frozen contract. What fails outside a tool has one message (RPC-17).
func (e *Engine) answerV0(next server.Handler) server.Handler {
	return func(ctx context.Context, r *server.Request) (result mcp.Result, err error) {
		err = guard(func() (err error) {
			if result, err = next(ctx, r); err == nil {
				result = resultV0(r.Method(), result)
			}
			return err
		})
		var wire *jsonrpc.Error
		if err == nil || errors.As(err, &wire) {
			return result, err
		}
		e.log.Error("a request failed", "method", r.Method(), "cause", err)
		return nil, errInternal
	}
}

func resultV0(method string, result mcp.Result) mcp.Result {
	switch method {
	case mcp.MethodInitialize:
		return initializeV0
	case mcp.MethodListTools:
		return listV0
	}
	if called, ok := result.(*mcp.CallToolResult); ok {
		return callV0{called}
	}
	return result
}

// listV0 is the result of tools/list (MCP-8, MCP-9).
var listV0 = func() mcp.Members {
	dst := []byte(`"tools":[`)
	for i, t := range tools {
		if i > 0 {
			dst = append(dst, ',')
		}
		o := rawjson.Begin(dst)
		o.String("description", t.Description)
		o.Raw("inputSchema", t.inputV0)
		o.String("name", t.Name)
		dst = o.End()
	}
	return append(dst, ']')
}()

// initializeV0 is the result of initialize (MCP-5).
var initializeV0 = func() mcp.Members {
	dst := []byte(`"capabilities":{"tools":{}},"protocolVersion":"` + protocolV0 + `","serverInfo":`)
	o := rawjson.Begin(dst)
	o.String("name", Name)
	o.String("version", version.Number)
	return append(append(o.End(), ','), listV0...)
}()

// callV0 is the result of a tool (MCP-10).
type callV0 struct{ *mcp.CallToolResult }

// AppendMembers implements mcp.Result.
func (c callV0) AppendMembers(dst []byte, _ *mcp.Revision) ([]byte, error) {
	text, _ := c.Content[0].(mcp.Text)
	dst = rawjson.AppendString(append(dst, `"content":[{"text":`...), text.Text)
	dst = append(dst, `,"type":"text"}]`...)
	if c.IsError {
		dst = append(dst, `,"isError":true`...)
	}
	return dst, nil
}
