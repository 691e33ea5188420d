package rpc_test

import (
	"os"
	"strings"
	"testing"

	"mcpworks/lint"
	"mcpworks/lint/rules/rpc"
)

// D2.65: the finding of a batch that is refused shows the refusal, which on stdio
// answers none of its requests (RPC-017).
func TestRefusedBatchIsShown(t *testing.T) {
	file, err := os.Open("testdata/RPC-017/fires_refused_stdio.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	record, err := lint.ReadRecord(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range lint.Run(record, rpc.Rules(), lint.Options{}).Findings {
		if f.RuleID == "RPC-017" {
			if !strings.HasPrefix(f.Evidence.Sent, "[") || !strings.Contains(f.Evidence.Received, `"code":-32600`) {
				t.Errorf("the evidence is %+v", f.Evidence)
			}
			return
		}
	}
	t.Error("RPC-017 has found nothing")
}
