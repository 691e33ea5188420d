package client_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"mcpworks/mcp"
	"mcpworks/mcp/client"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport"
)

// greeter is a server in this process, for the examples. A program has a
// Command or a URL instead.
func greeter() client.Target {
	srv, err := server.New(server.Options{
		Info: mcp.Implementation{Name: "greeter", Version: "1.0.0"},
		Tools: []server.Tool{{
			Tool: mcp.Tool{
				Name: "greet", Description: "Greets somebody by name.",
				InputSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`),
			},
			Handler: func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
				call.Progress(ctx, 1, 2, "thinking of something nice")
				return mcp.TextResult("Hello, " + call.Arguments["name"].(string) + "!"), nil
			},
		}},
	})
	if err != nil {
		log.Fatal(err)
	}
	ours, theirs := transport.Pair()
	go func() { _ = srv.Serve(context.Background(), theirs) }()
	return client.Over(client.LineOf(ours))
}

func Example() {
	ctx := context.Background()
	// To start a server: client.Command{Args: []string{"greeter", "--polite"}}.
	// To dial one: client.URL("https://example.com/mcp").
	session, err := client.Connect(ctx, greeter(), client.Options{
		Info: mcp.Implementation{Name: "example", Version: "1.0.0"},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close(ctx)
	fmt.Println(session.ServerInfo().Name, "speaks", session.Version())

	tools, err := session.AllTools(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, tool := range tools {
		fmt.Println(tool.Name+":", tool.Description)
	}
	result, err := session.CallTool(ctx, "greet", map[string]any{"name": "Ada"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Content[0].(mcp.Text).Text)
	// Output:
	// greeter speaks 2026-07-28
	// greet: Greets somebody by name.
	// Hello, Ada!
}

// Single requests can have options of their own.
func ExampleSession_With() {
	ctx := context.Background()
	session, err := client.Connect(ctx, greeter(), client.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close(ctx)
	watched := session.With(client.CallOptions{
		Progress: func(p client.Progress) { fmt.Println(p.Progress, "of", p.Total, p.Message) },
	})
	if _, err := watched.CallTool(ctx, "greet", map[string]any{"name": "Ada"}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1 of 2 thinking of something nice
}

// A record of everything that was said, one line for each event.
func ExampleJSONLines() {
	recorder := client.JSONLines(os.Stdout)
	recorder.Record(client.Event{Kind: client.Sent, Message: []byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)})
	recorder.Record(client.Event{Kind: client.Exited, Exit: &client.Exit{Code: 0, After: client.EndOfInput}})
	// Output:
	// {"ms":0,"kind":"sent","message":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"}
	// {"ms":0,"kind":"exited","exit":{"code":0,"after":"end of input","tookMs":0,"leftovers":false}}
}
