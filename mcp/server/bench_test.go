package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"mcpworks/mcp"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport/stdio"
)

// BenchmarkEcho is one tools/call from line to line, with the allocations of
// both directions.
func BenchmarkEcho(b *testing.B) {
	for _, size := range []int{5, 1 << 10, 100 << 10} {
		b.Run(fmt.Sprint(size), func(b *testing.B) { benchmarkEcho(b, size) })
	}
}

func benchmarkEcho(b *testing.B, size int) {
	srv, err := server.New(server.Options{
		Info: mcp.Implementation{Name: "bench", Version: "0"},
		Tools: []server.Tool{{
			Tool: mcp.Tool{
				Name: "echo", Description: "Echoes.",
				InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`),
			},
			Handler: func(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
				return mcp.TextResult(call.Arguments["text"].(string)), nil
			},
		}},
	})
	if err != nil {
		b.Fatal(err)
	}
	clientIn, serverOut := io.Pipe()
	serverIn, clientOut := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- srv.Serve(b.Context(), stdio.New(serverIn, serverOut, stdio.Options{})) }()
	answers := bufio.NewReaderSize(clientIn, 1<<20)
	exchange := func(line []byte) {
		if _, err := clientOut.Write(line); err != nil {
			b.Fatal(err)
		}
		if _, err := answers.ReadSlice('\n'); err != nil {
			b.Fatal(err)
		}
	}
	exchange([]byte(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}` + "\n"))
	call := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"` + strings.Repeat("x", size) + `"}}}` + "\n")
	b.SetBytes(int64(len(call)))
	b.ReportAllocs()
	for b.Loop() {
		exchange(call)
	}
	clientOut.Close()
	if err := <-served; err != nil {
		b.Fatal(err)
	}
}
