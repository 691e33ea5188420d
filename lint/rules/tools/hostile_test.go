package tools_test

import (
	"strings"
	"testing"

	"mcpworks/lint"
	"mcpworks/lint/rules/tools"
)

// D2.66: whatever a server lists and answers, no rule fails itself, and none
// reports without end.
func TestHostile(t *testing.T) {
	values := []string{"null", "true", "7", `"x"`, "[]", "[null,7,[[]],{}]", "{}", `{"type":7,"content":{"a":[]}}`, `{"":{"":""}}`}
	var text strings.Builder
	text.WriteString(`{"target":"sample","level":"call"}
{"talk":"main","transport":"stdio","revision":"2025-11-25"}
{"step":"initialize"}
{"send":{"jsonrpc":"2.0","id":1,"method":"initialize"}}
{"recv":{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":7}}}
`)
	list := []string{"null", "7", "[]"}
	for _, v := range values {
		list = append(list, `{"name":`+v+`}`, `{"name":"a","title":`+v+`,"inputSchema":`+v+`,"outputSchema":`+v+`,"annotations":`+v+`,"icons":`+v+`,"execution":`+v+`}`,
			`{"name":"b","icons":[`+v+`],"execution":{"taskSupport":`+v+`},"annotations":{"readOnlyHint":`+v+`}}`)
	}
	list = append(list, `{"name":"c","annotations":{"a":1`+strings.Repeat(`,"someHint":1`, 1000)+`},"icons":[{}`+strings.Repeat(`,{}`, 1000)+`]`+strings.Repeat(`,"field":1`, 1000)+`}`)
	for _, step := range []string{"list", "list again"} {
		text.WriteString(`{"step":"` + step + `","about":"tools/list"}
{"send":{"jsonrpc":"2.0","id":"` + step + `","method":"tools/list"}}
{"recv":{"jsonrpc":"2.0","id":"` + step + `","result":{"tools":[` + strings.Join(list, ",") + `]}}}
`)
	}
	text.WriteString(`{"talk":"calling","transport":"stdio","revision":"2025-11-25"}` + "\n")
	for _, step := range []string{"call", "call again", "call without required", "call with wrong types", "unknown tool"} {
		for _, v := range values {
			for _, answer := range []string{`"result":` + v, `"error":` + v, `"result":{"content":[` + v + `],"isError":` + v + `,"structuredContent":` + v + `,"task":` + v + `}`} {
				text.WriteString(`{"step":"` + step + `","about":"a"}
{"send":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}}
{"recv":{"jsonrpc":"2.0","id":1,` + answer + `}}
`)
			}
		}
	}
	record, err := lint.ReadRecord(strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	report := lint.Run(record, tools.Rules(), lint.Options{})
	for _, result := range report.Results {
		if strings.Contains(result.Reason, "META-002") {
			t.Errorf("%s: %s", result.Rule.ID, result.Reason)
		}
	}
	count := map[string]int{}
	for _, f := range report.Findings {
		if f.Subject.Name == "c" {
			count[f.RuleID]++
		}
	}
	for _, id := range []string{"TOOL-016", "TOOL-020", "TOOL-021"} {
		if n := count[id]; n == 0 || n > 20 {
			t.Errorf("%s has %d findings about one tool", id, n)
		}
	}
}
