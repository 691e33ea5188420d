package paging_test

import (
	"fmt"
	"strings"
	"testing"

	"mcpworks/lint"
	"mcpworks/lint/rules/paging"
)

// A list that has not ended after 1,000 pages is not waited for any longer
// (PAGE-002). The record is too long for a fixture.
func TestEndlessPages(t *testing.T) {
	for pages, want := range map[int]lint.Status{999: lint.NotVerified, 1000: lint.Fail} {
		var text strings.Builder
		text.WriteString(`{"target":"sample"}` + "\n" + `{"talk":"main","transport":"stdio","revision":"2025-11-25"}` + "\n")
		for i := range pages {
			fmt.Fprintf(&text, `{"step":"list","about":"tools/list"}
				{"send":{"jsonrpc":"2.0","id":%d,"method":"tools/list"}}
				{"recv":{"jsonrpc":"2.0","id":%d,"result":{"tools":[],"nextCursor":"%d"}}}
				`, i, i, i)
		}
		record, err := lint.ReadRecord(strings.NewReader(text.String()))
		if err != nil {
			t.Fatal(err)
		}
		for _, result := range lint.Run(record, paging.Rules(), lint.Options{}).Results {
			if result.Rule.ID == "PAGE-002" && result.Status != want {
				t.Errorf("after %d pages: %v (%s), want %v", pages, result.Status, result.Reason, want)
			}
		}
	}
}
