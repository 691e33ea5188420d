package rpc_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/lint"
	"mcpworks/lint/rules/rpc"
)

// hostile are answers that no rule may assume away.
var hostile = []string{
	``, `null`, `0`, `"x"`, `[]`, `[[]]`, `{}`, `{`, "\xff", "\ufeff{}",
	`{"jsonrpc":"2.0","id":1,"result":null}`,
	`{"jsonrpc":{},"id":[],"method":null,"params":[],"result":"x","error":0}`,
	`{"jsonrpc":"2.0","id":1,"error":null}`,
	`{"jsonrpc":"2.0","id":1,"error":{"code":1e999,"message":null}}`,
	`{"jsonrpc":"2.0","id":1,"result":{"tools":[null,{"name":{}},[]],"resultType":[],"capabilities":5}}`,
	`{"jsonrpc":"2.0","id":1,"result":{"tools":{"0":{"0":0,"0":0}},"":{"":1,"":2}}}`,
	`{"jsonrpc":"2.0","id":null,"method":"tools/list","params":null}`,
	`[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":1,"result":{}}]`,
	strings.Repeat(`{"a":`, 900) + `1` + strings.Repeat(`}`, 900),
}

// Whatever a server answers, a rule does not fail itself (META-002).
func TestHostileAnswers(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d fixtures, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, answer := range hostile {
			record, err := lint.ReadRecord(strings.NewReader(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			replaceAnswers(record, answer)
			for _, result := range lint.Run(record, rpc.Rules(), lint.Options{}).Results {
				if strings.HasPrefix(result.Reason, "META-002") {
					t.Errorf("%s with %.80q: %s: %s", file, answer, result.Rule.ID, result.Reason)
				}
			}
		}
	}
}

// replaceAnswers has the server say the same to everything.
func replaceAnswers(record *lint.Record, answer string) {
	for _, talk := range record.Talks {
		for _, s := range talk.Steps {
			for i := range s.Events {
				switch e := &s.Events[i]; {
				case e.Received != nil:
					e.Received = []byte(answer)
				case e.HTTP != nil:
					e.HTTP.Answer = []byte(answer)
					if e.HTTP.Response == nil {
						e.HTTP.Response = http.Header{}
					}
				}
			}
		}
	}
	record.Seal()
}
