package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"time"

	"mcpworks/internal/mcptest"
	"mcpworks/mcp"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport/stdio"
)

// TestProbes runs every rude conversation against a server in memory.
func TestProbes(t *testing.T) {
	t.Parallel()
	srv, err := server.New(server.Options{
		Info:  mcp.Implementation{Name: "probes", Version: "0"},
		Tools: probeTools(),
	})
	if err != nil {
		t.Fatal(err)
	}
	mcptest.RunProbes(t, func(t *testing.T) mcptest.Peer {
		return mcptest.Pipe(t, func(ctx context.Context, in io.Reader, out io.Writer) error {
			return srv.Serve(ctx, stdio.New(in, out, stdio.Options{}))
		})
	})
}

// probeTools are those that mcptest.RunProbes expects.
func probeTools() []server.Tool {
	tool := func(name, schema string, run func(context.Context, map[string]any) (string, error)) server.Tool {
		return server.Tool{
			Tool: mcp.Tool{Name: name, Description: "For probes.", InputSchema: json.RawMessage(schema)},
			Handler: func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
				text, err := run(ctx, call.Arguments)
				return mcp.TextResult(text), err
			},
		}
	}
	return []server.Tool{
		tool("echo", `{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`, func(_ context.Context, a map[string]any) (string, error) {
			return a["text"].(string), nil
		}),
		tool("add", `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"]}`, func(_ context.Context, a map[string]any) (string, error) {
			x, errX := a["a"].(json.Number).Int64()
			y, errY := a["b"].(json.Number).Int64()
			if errX != nil || errY != nil {
				return "", &server.Failure{Text: "a and b must fit in 64 bits"}
			}
			return fmt.Sprint(x + y), nil
		}),
		tool("slow", `{"type":"object","properties":{"ms":{"type":"integer"}},"required":["ms"]}`, func(ctx context.Context, a map[string]any) (string, error) {
			ms, err := a["ms"].(json.Number).Int64()
			if err != nil {
				return "", err
			}
			select {
			case <-time.After(time.Duration(ms) * time.Millisecond):
				return "done", nil
			case <-ctx.Done():
				return "", ctx.Err()
			}
		}),
		tool("panic", `{"type":"object"}`, func(context.Context, map[string]any) (string, error) { panic("asked to") }),
	}
}
