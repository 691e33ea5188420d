// Command mcpgo serves the benchmark tools with mcp-go, written the way its
// README shows: over stdio, or with --listen over Streamable HTTP.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"mcpworks/bench/internal/stats"
)

func echo(_ context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	text, err := request.RequireString("text")
	if err != nil {
		return mcp.NewToolResultError(err.Error()), nil
	}
	return mcp.NewToolResultText(text), nil
}

func add(_ context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	a, err := request.RequireInt("a")
	if err != nil {
		return mcp.NewToolResultError(err.Error()), nil
	}
	b, err := request.RequireInt("b")
	if err != nil {
		return mcp.NewToolResultError(err.Error()), nil
	}
	return mcp.NewToolResultText(strconv.Itoa(a + b)), nil
}

func slow(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	select {
	case <-time.After(time.Duration(request.GetInt("ms", 0)) * time.Millisecond):
		return mcp.NewToolResultText("done"), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func panics(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	panic("asked to panic")
}

func main() {
	stats.Report()
	listen := flag.String("listen", "", "`host:port` to serve HTTP on; without it, standard input and output")
	stateless := flag.Bool("stateless", false, "over HTTP, have no sessions")
	flag.Parse()
	s := server.NewMCPServer("mcpgo", "1.2.1", server.WithToolCapabilities(false), server.WithRecovery())
	s.AddTool(mcp.NewTool("echo", mcp.WithDescription("returns its text"),
		mcp.WithString("text", mcp.Required())), echo)
	s.AddTool(mcp.NewTool("add", mcp.WithDescription("adds two integers"),
		mcp.WithInteger("a", mcp.Required()), mcp.WithInteger("b", mcp.Required())), add)
	s.AddTool(mcp.NewTool("slow", mcp.WithDescription("answers after ms milliseconds"), mcp.WithInteger("ms")), slow)
	s.AddTool(mcp.NewTool("panic", mcp.WithDescription("panics")), panics)
	if err := run(s, *listen, *stateless); err != nil {
		fmt.Fprintf(os.Stderr, "server error: %v\n", err)
		os.Exit(1)
	}
}

func run(s *server.MCPServer, listen string, stateless bool) error {
	if listen == "" {
		return server.ServeStdio(s)
	}
	return stats.ListenAndServe(listen, server.NewStreamableHTTPServer(s, server.WithStateLess(stateless), server.WithStateful(!stateless)))
}
