package client_test

import (
	"testing"

	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

func BenchmarkCallTool(b *testing.B) {
	for _, rev := range []*mcp.Revision{mcp.V20251125, mcp.V20260728} {
		for _, w := range ways[:2] {
			b.Run(rev.Version+"/"+w.name, func(b *testing.B) {
				s := connect(b, w.target(b, echoServer(b, nil)), client.Options{Revision: rev})
				args := map[string]any{"text": "hello"}
				b.ReportAllocs()
				for b.Loop() {
					if _, err := s.CallTool(b.Context(), "echo", args); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
