package server_test

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"strings"

	"mcpworks/mcp"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport/stdio"
)

// A server is a declaration; it serves any connection until its input ends.
func Example() {
	srv, err := server.New(server.Options{
		Info: mcp.Implementation{Name: "greeter", Version: "1.0.0"},
		Tools: []server.Tool{{
			Tool: mcp.Tool{
				Name:        "greet",
				Description: "Greets somebody by name.",
				InputSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`),
			},
			Handler: func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
				return mcp.TextResult("Hello, " + call.Arguments["name"].(string) + "!"), nil
			},
		}},
	})
	if err != nil {
		log.Fatal(err)
	}
	input := strings.NewReader(`
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"greet","arguments":{"name":"Ada"}}}
`)
	// A program has os.Stdin here; writing through a function keeps this
	// example's own output open.
	conn := stdio.New(input, writer(os.Stdout.Write), stdio.Options{})
	if err := srv.Serve(context.Background(), conn); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"greeter","version":"1.0.0"}}}
	// {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"Hello, Ada!"}]}}
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }
