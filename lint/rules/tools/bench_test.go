package tools_test

import (
	"fmt"
	"strings"
	"testing"

	"mcpworks/lint"
	"mcpworks/lint/rules/tools"
)

// D2.67: with those of package schemas, the static rules handle 2,000 tools in
// under 2 s; the benchmark says in how many. Every tool has a finding.
func BenchmarkRules(b *testing.B) {
	list := make([]string, 2000)
	for i := range list {
		list[i] = fmt.Sprintf(`{"name":"tool_%d","description":%q,"inputSchema":{"type":"object","properties":{"path":{"type":"string"}}}}`, i, strings.Repeat("Does something. ", 20))
	}
	answer := `{"recv":{"jsonrpc":"2.0","id":%d,"result":{"tools":[` + strings.Join(list, ",") + `]}}}` + "\n"
	record, err := lint.ReadRecord(strings.NewReader(`{"target":"sample"}
{"talk":"main","transport":"stdio","revision":"2025-11-25"}
{"step":"initialize"}
{"send":{"jsonrpc":"2.0","id":1,"method":"initialize"}}
{"recv":{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"sample","version":"1"}}}}
{"step":"list","about":"tools/list"}
{"send":{"jsonrpc":"2.0","id":2,"method":"tools/list"}}
` + fmt.Sprintf(answer, 2) + `{"step":"list again","about":"tools/list"}
{"send":{"jsonrpc":"2.0","id":3,"method":"tools/list"}}
` + fmt.Sprintf(answer, 3)))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if report := lint.Run(record, tools.Rules(), lint.Options{}); len(report.Findings) == 0 {
			b.Fatal("no findings")
		}
	}
}
