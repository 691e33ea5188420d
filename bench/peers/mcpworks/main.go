// Command mcpworks is the server on this project's own core that the benchmarks
// and probes drive: over stdio, or with --listen over Streamable HTTP behind the
// guards that a program of this project has.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"time"

	"mcpworks/bench/internal/stats"
	"mcpworks/internal/httpguard"
	"mcpworks/internal/serve"
	"mcpworks/mcp"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport/stdio"
	"mcpworks/mcp/transport/streamable"
)

func main() {
	stats.Report()
	listen := flag.String("listen", "", "`host:port` to serve HTTP on; without it, standard input and output")
	stateless := flag.Bool("stateless", false, "over HTTP, serve the legacy revisions without sessions")
	flag.Parse()
	if err := run(*listen, streamable.Options{Stateless: *stateless}); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(listen string, opts streamable.Options) error {
	opts.Log = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError + 4}))
	srv, err := server.New(server.Options{
		Info:  mcp.Implementation{Name: "mcpworks-bench", Version: "0"},
		Tools: []server.Tool{echo, slow, panics, add},
		Log:   opts.Log,
	})
	if err != nil {
		return err
	}
	if listen == "" {
		return serve.Stdio(context.Background(), srv, stdio.Options{})
	}
	host, err := httpguard.Host(httpguard.HostConfig{})
	if err != nil {
		return err
	}
	origin, err := httpguard.Origin(httpguard.OriginConfig{})
	if err != nil {
		return err
	}
	return stats.ListenAndServe(listen, host(origin(streamable.New(srv, opts))))
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
