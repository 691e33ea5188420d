package contextengine

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"

	"mcpworks/mcp"
	"mcpworks/mcp/server"
)

// A tool is one of the three, as both faces have it.
type tool struct {
	// Tool is the definition for every revision.
	mcp.Tool
	// inputV0 is the input schema of the frozen contract, members in byte
	// order (MCP-9).
	inputV0 json.RawMessage
	// ending comes after the JSON of a text.
	ending string
	// find answers a call with compact JSON of at most so many bytes.
	find func(e *Engine, ctx context.Context, args arguments, most int) ([]byte, error)
}

// tools are in the order in which they are listed (MCP-8).
var tools = []*tool{resolveTool, listCachesTool, inspectCacheTool}

// hints are true of all three: they read below the cache root and nothing else.
var hints = &mcp.ToolAnnotations{ReadOnly: true, Idempotent: true}

const describeCache = `"cache":{"description":"Cache directory name (relative to CONTEXT_CACHE_ROOT)","type":"string"}`

// offer makes a tool callable. Every tool checks its own arguments: a wrong one
// has its place among the six codes (RES-1).
func (e *Engine) offer(t *tool, definition mcp.Tool, most int) server.Tool {
	return server.Tool{
		Tool:            definition,
		ChecksArguments: true,
		Handler: func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			answer, err := e.within(ctx, func(ctx context.Context) ([]byte, error) {
				return t.find(e, ctx, call.Arguments, most)
			})
			if err != nil {
				return e.failed(ctx, t.Name, err)
			}
			return &mcp.CallToolResult{
				Content:    []mcp.Content{mcp.Text{Text: string(answer) + t.ending}},
				Structured: json.RawMessage(answer),
			}, nil
		},
	}
}

// failed turns an error into what the client may see of it (ERR-3, ERR-5).
func (e *Engine) failed(ctx context.Context, name string, err error) (*mcp.CallToolResult, error) {
	var bad *server.Failure
	if errors.As(err, &bad) {
		return nil, bad
	}
	code := CodeOf(err)
	level := code.level()
	if ctx.Err() != nil { // nobody waits for it
		level = slog.LevelDebug
	}
	e.log.LogAttrs(ctx, level, "a call failed",
		slog.String("tool", name), slog.String("code", string(code)), slog.String("cause", err.Error()))
	return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text{Text: string(code.appendJSON(nil)) + "\n"}}, IsError: true}, nil
}

// arguments are those of a call as decoded JSON. Unknown ones are ignored
// (TOOL-1).
type arguments map[string]any

// cache returns the name of the cache to look at.
func (a arguments) cache() (string, error) {
	name, ok := a["cache"].(string)
	if !ok {
		return "", CacheMissing.because("the argument cache is not a string")
	}
	return name, nil
}
