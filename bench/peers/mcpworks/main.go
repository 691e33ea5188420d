// Command mcpworks is the stdio server on this project's own core that the
// benchmarks and probes drive.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"time"

	"mcpworks/bench/internal/stats"
	"mcpworks/internal/serve"
	"mcpworks/mcp"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport/stdio"
)

func main() {
	stats.Report()
	srv, err := server.New(server.Options{
		Info:  mcp.Implementation{Name: "mcpworks-bench", Version: "0"},
		Tools: []server.Tool{echo, slow, panics, add},
		Log:   slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError + 4})),
	})
	if err == nil {
		err = serve.Stdio(context.Background(), srv, stdio.Options{})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

var echo = server.Tool{
	Tool: mcp.Tool{
		Name: "echo", Description: "Returns the given text.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`),
	},
	Handler: func(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
		return mcp.TextResult(call.Arguments["text"].(string)), nil
	},
}

var slow = server.Tool{
	Tool: mcp.Tool{
		Name: "slow", Description: "Answers after a while.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"ms":{"type":"integer","minimum":0}},"required":["ms"]}`),
	},
	Handler: func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
		ms, err := call.Arguments["ms"].(json.Number).Int64()
		if err != nil {
			return nil, err
		}
		select {
		case <-time.After(time.Duration(ms) * time.Millisecond):
			return mcp.TextResult("done"), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	},
}

var panics = server.Tool{
	Tool: mcp.Tool{
		Name: "panic", Description: "Panics.",
		InputSchema: json.RawMessage(`{"type":"object"}`),
	},
	Handler: func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) { panic("asked to") },
}

var add = server.Tool{
	Tool: mcp.Tool{
		Name: "add", Description: "Adds two integers.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"]}`),
	},
	Handler: func(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
		a, errA := call.Arguments["a"].(json.Number).Int64()
		b, errB := call.Arguments["b"].(json.Number).Int64()
		if errA != nil || errB != nil {
			return mcp.ErrorResult("a and b must fit in 64 bits"), nil
		}
		return mcp.TextResult(fmt.Sprint(a + b)), nil
	},
}
