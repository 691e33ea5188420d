package schemas

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"mcpworks/lint"
)

// recordOf is a record with tools that have the given input schemas.
func recordOf(t testing.TB, schemas ...string) *lint.Record {
	t.Helper()
	var tools bytes.Buffer
	for i, schema := range schemas {
		if i > 0 {
			tools.WriteByte(',')
		}
		fmt.Fprintf(&tools, `{"name":"tool_%d","description":"Does something.","inputSchema":%s}`, i, schema)
	}
	text := `{"target":"sample"}
{"talk":"main","transport":"stdio","revision":"2025-11-25"}
{"step":"initialize"}
{"send":{"jsonrpc":"2.0","id":1,"method":"initialize"}}
{"recv":{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"sample","version":"1"}}}}
{"step":"list","about":"tools/list"}
{"send":{"jsonrpc":"2.0","id":2,"method":"tools/list"}}
{"recv":{"jsonrpc":"2.0","id":2,"result":{"tools":[` + tools.String() + `]}}}
`
	record, err := lint.ReadRecord(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return record
}

// D2.66: whatever a schema looks like, no rule fails itself, and none reports
// without end.
func TestHostileSchemas(t *testing.T) {
	deep := strings.Repeat(`{"properties":{"a":`, 400) + `{}` + strings.Repeat(`}}`, 400)
	wide := `{"type":"object","properties":{"a":{"type":"array"}` + strings.Repeat(`,"":{"type":["array"],"enum":[],"required":1,"pattern":"(","default":3,"format":"?","nullable":1}`, 20_000) + `}}`
	doubling := `{"type":"object","$ref":"#/$defs/d0","default":1,"$defs":{"d60":{}`
	for i := range 60 {
		doubling += fmt.Sprintf(`,"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, i+1, i+1)
	}
	references := `{"type":"object","properties":{"a":{}`
	for i := range 5000 {
		references += fmt.Sprintf(`,"p%d":{"$ref":"#/properties/p%d/not"}`, i, i)
	}
	record := recordOf(t, deep, wide, doubling+`}}`, references+`}}`,
		`{"type":"object","properties":3,"required":{},"enum":7,"$ref":[],"$id":{},"$defs":[],"items":null,"pattern":0,"format":0,"minimum":"1"}`,
		`{"$ref":"#","$id":"%zz","$schema":"http://json-schema.org/draft-04/schema#","id":":","default":[[[[[[]]]]]]}`,
		`{"type":"object","$id":"https://sample/","properties":{"a":{"$id":"#/x","$ref":"#x"}},"minimum":1e999999999,"maximum":-1e999999999,"default":1e9999}`,
	)
	report := lint.Run(record, Rules(), lint.Options{})
	for _, result := range report.Results {
		if strings.Contains(result.Reason, "META-002") {
			t.Errorf("%s: %s", result.Rule.ID, result.Reason)
		}
	}
	count := map[string]int{}
	for _, f := range report.Findings {
		if count[f.RuleID+f.Subject.Name]++; count[f.RuleID+f.Subject.Name] > maxFindings {
			t.Fatalf("more than %d findings of %s for %s", maxFindings, f.RuleID, f.Subject.Name)
		}
	}
	if len(count) < 10 {
		t.Errorf("only %d findings", len(count))
	}
}

// D2.66: what is too large to be looked at is not called good.
func TestTooLarge(t *testing.T) {
	const depth = 300
	huge := strings.Repeat(`{"not":`, depth) + `{"title":"` + strings.Repeat("a", 5<<20) + `"}` + strings.Repeat(`}`, depth)
	report := lint.Run(recordOf(t, huge), []*lint.Rule{&untyped, &validationCost}, lint.Options{})
	if got := report.Results[0]; got.Status != lint.NotVerified || got.Reason != "the schemas are too large to be looked at in full" {
		t.Errorf("%v (%s)", got.Status, got.Reason)
	}
	if got := report.Results[1]; got.Status != lint.Fail {
		t.Errorf("%v (%s)", got.Status, got.Reason)
	}
}

// manySchemas are 2,000 tools as they are in the wild, half a kilobyte each.
func manySchemas() []string {
	schemas := make([]string, 2000)
	for i := range schemas {
		schemas[i] = fmt.Sprintf(`{"type":"object","properties":{"path":{"type":"string","description":"The path of the file to read, relative to the root.","pattern":"^[a-z/]+$"},`+
			`"limit":{"type":"integer","minimum":1,"maximum":%d,"default":10,"description":"How many lines are returned at most."},`+
			`"mode":{"type":"string","enum":["text","lines","raw"],"default":"text"},`+
			`"filter":{"type":"object","properties":{"tags":{"type":"array","items":{"type":"string"}},"since":{"type":"string","format":"date-time"}}}},`+
			`"required":["path"],"additionalProperties":false,"$schema":"http://json-schema.org/draft-07/schema#"}`, 100+i)
	}
	return schemas
}

// D2.67: the static rules handle 2,000 tools in under 2 s; the benchmark says in
// how many.
func BenchmarkRules(b *testing.B) {
	record := recordOf(b, manySchemas()...)
	b.ReportAllocs()
	for b.Loop() {
		lint.Run(record, Rules(), lint.Options{})
	}
}

func BenchmarkRule(b *testing.B) {
	record := recordOf(b, manySchemas()...)
	for _, rule := range Rules() {
		b.Run(rule.ID, func(b *testing.B) {
			for b.Loop() {
				lint.Run(record, []*lint.Rule{rule}, lint.Options{})
			}
		})
	}
}

// A megabyte of tools is judged within 60 MB that are in use at one time.
func TestMemory(t *testing.T) {
	record := recordOf(t, manySchemas()...)
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	report := lint.Run(record, Rules(), lint.Options{})
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapSys+after.StackSys) - int64(before.HeapSys+before.StackSys); grown > 60<<20 {
		t.Errorf("grew by %d MB", grown>>20)
	}
	if report.Count(lint.Pass) == 0 {
		t.Error("no rule has passed")
	}
}

// SCH-016: an enum that is too long to be read to its end contradicts nothing.
func TestLongEnumIsNoContradiction(t *testing.T) {
	values := strings.Repeat(`1,`, maxValues)
	record := recordOf(t, `{"type":"object","properties":{"a":{"type":"string","enum":[`+values+`"last"]},"b":{"const":"last","enum":[`+values+`"last"]}}}`)
	if report := lint.Run(record, []*lint.Rule{&satisfiable}, lint.Options{}); len(report.Findings) > 0 {
		t.Errorf("found %+v", report.Findings)
	}
}
