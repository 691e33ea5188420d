package rpc_test

import (
	"fmt"
	"strings"
	"testing"

	"mcpworks/lint"
	"mcpworks/lint/linttest"
	"mcpworks/lint/rules/rpc"
)

func TestRules(t *testing.T) { linttest.Rules(t, rpc.Rules()) }

// The whole category on a server with 2,000 tools, whose list was read twice
// (D2.67).
func BenchmarkLargeList(b *testing.B) {
	var tools []string
	for i := range 2000 {
		tools = append(tools, fmt.Sprintf(`{"name":"tool_%d","description":%q,"inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"where it is"},"limit":{"type":"integer","minimum":1}},"required":["path"]}}`, i, strings.Repeat("what it does, ", 20)))
	}
	text := "{\"target\":\"large\"}\n{\"talk\":\"main\",\"transport\":\"stdio\",\"revision\":\"2025-11-25\"}\n"
	for i, name := range []string{"list", "list again"} {
		text += fmt.Sprintf("{\"step\":%q,\"about\":\"tools/list\"}\n{\"send\":{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/list\"}}\n{\"recv\":{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"tools\":[%s]}}}\n", name, i, i, strings.Join(tools, ","))
	}
	record, err := lint.ReadRecord(strings.NewReader(text))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if report := lint.Run(record, rpc.Rules(), lint.Options{}); len(report.Findings) > 0 {
			b.Fatal(report.Findings)
		}
	}
}
