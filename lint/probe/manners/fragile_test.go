package manners_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"mcpworks/lint"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/rules/rpc"
	"mcpworks/lint/step"
	"mcpworks/mcp/client"
)

// The test program is also a server that dies of everything that is no JSON.
func TestMain(m *testing.M) {
	if os.Getenv("MANNERS_SERVER") == "fragile" {
		fragile()
		return
	}
	os.Exit(m.Run())
}

func fragile() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var message any
		if err := json.Unmarshal(lines.Bytes(), &message); err != nil {
			os.Exit(3)
		}
		object, _ := message.(map[string]any)
		id, err := json.Marshal(object["id"])
		if err != nil || object["id"] == nil || object["method"] == nil {
			continue
		}
		answer := `"error":{"code":-32601,"message":"no such method"}`
		switch object["method"] {
		case "initialize":
			answer = `"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"fragile","version":"1"}}`
		case "ping":
			answer = `"result":{}`
		}
		fmt.Printf("{\"jsonrpc\":\"2.0\",\"id\":%s,%s}\n", id, answer)
	}
}

// RPC-016: each message that ends the server is named, and after each the rest
// is still sent, so that the other rules are decided.
func TestDeaths(t *testing.T) {
	record := probed(t, client.Command{Args: []string{os.Args[0]}, Env: []string{"MANNERS_SERVER=fragile"}}, wire.Stdio)
	found := map[string][]string{}
	for _, f := range lint.Run(record, rpc.Rules(), lint.Options{}).Findings {
		found[f.RuleID] = append(found[f.RuleID], f.Subject.Name)
	}
	for id, want := range map[string][]string{
		"RPC-016": {"an empty line", "truncated", "words"},
		"RPC-014": {"jsonrpc 1.0", "no jsonrpc"},
		"RPC-026": {"a fraction", "an array", "an object"},
	} {
		if !slices.Equal(found[id], want) {
			t.Errorf("%s names %q, want %q", id, found[id], want)
		}
	}
	sent := map[string]int{}
	for _, talk := range record.Talks {
		for _, s := range talk.Steps {
			if talk.Phase == step.Malformed && s.About != "" && s.Name != step.Alive && s.Outcome != lint.NotSent {
				sent[s.About]++
			}
		}
	}
	if len(sent) != 15 {
		t.Errorf("%d malformed messages were sent, want 15: %v", len(sent), sent)
	}
	for form, n := range sent {
		if n != 1 {
			t.Errorf("%s was sent %d times", form, n)
		}
	}
}
