// Command gosdk serves the benchmark tools with the official Go SDK, written
// the way its README and its HTTP example show: over stdio, or with --listen
// over Streamable HTTP.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"log"
	"net/http"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpworks/bench/internal/stats"
)

type echoInput struct {
	Text string `json:"text"`
}

type addInput struct {
	A int `json:"a"`
	B int `json:"b"`
}

type slowInput struct {
	MS int `json:"ms,omitempty"`
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

func echo(_ context.Context, _ *mcp.CallToolRequest, in echoInput) (*mcp.CallToolResult, any, error) {
	return text(in.Text), nil, nil
}

func add(_ context.Context, _ *mcp.CallToolRequest, in addInput) (*mcp.CallToolResult, any, error) {
	return text(strconv.Itoa(in.A + in.B)), nil, nil
}

func slow(ctx context.Context, _ *mcp.CallToolRequest, in slowInput) (*mcp.CallToolResult, any, error) {
	select {
	case <-time.After(time.Duration(in.MS) * time.Millisecond):
		return text("done"), nil, nil
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
}

func panics(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
	panic("asked to panic")
}

func main() {
	stats.Report()
	listen := flag.String("listen", "", "`host:port` to serve HTTP on; without it, standard input and output")
	stateless := flag.Bool("stateless", false, "over HTTP, have no sessions")
	jsonResponse := flag.Bool("json", false, "over HTTP, answer with JSON instead of events")
	flag.Parse()
	server := mcp.NewServer(&mcp.Implementation{Name: "gosdk", Version: "1.8.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{
		Name: "echo", Description: "returns its text",
		// What every peer declares, to the letter; inferred it would also forbid other members.
		InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`),
	}, echo)
	mcp.AddTool(server, &mcp.Tool{Name: "add", Description: "adds two integers"}, add)
	mcp.AddTool(server, &mcp.Tool{Name: "slow", Description: "answers after ms milliseconds"}, slow)
	mcp.AddTool(server, &mcp.Tool{Name: "panic", Description: "panics"}, panics)
	if *listen == "" {
		if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			log.Fatal(err)
		}
		return
	}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: *stateless, JSONResponse: *jsonResponse})
	log.Fatal(stats.ListenAndServe(*listen, handler))
}
