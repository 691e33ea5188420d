package modern_test

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"testing"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	rules "mcpworks/lint/rules/modern"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

// manner tells the test binary to be a server, and which one.
const manner = "MCPLINT_TEST_SERVER"

func TestMain(m *testing.M) {
	if how := os.Getenv(manner); how != "" {
		serveRudely(how)
		return
	}
	os.Exit(m.Run())
}

// serveRudely is a server that never looks at _meta, wants to be discovered
// first, and answers in the form of older revisions. A dual one has both eras and
// dies when they meet.
func serveRudely(how string) {
	say := func(format string, args ...any) { fmt.Printf(format+"\n", args...) }
	discovered := false
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		id := rawjson.Member(lines.Bytes(), "id")
		method, _ := rawjson.String(rawjson.Member(lines.Bytes(), "method"))
		switch {
		case id == nil:
		case method == mcp.MethodInitialize && how == "dual" && discovered:
			os.Exit(3)
		case method == mcp.MethodInitialize && how == "dual":
			say(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"rude","version":"1"}}}`, id)
		case method == mcp.MethodDiscover:
			discovered = true
			say(`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}}}}`, id)
		case method == mcp.MethodListTools && (discovered || how == "dual"):
			say(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"listing"}}`)
			say(`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","tools":[]}}`, id)
		case method == mcp.MethodPing:
			say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, id)
		case method == mcp.MethodListen:
			say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
			say(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"promptsListChanged":true}}}`)
		default:
			say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, id)
		}
	}
}

// What is wrong with a server is found by asking it, and a server that dies ends
// nothing but its talk.
func TestRudeServers(t *testing.T) {
	everywhere := []string{"MOD-004", "MOD-006", "MOD-008", "MOD-009", "MOD-012", "MOD-014", "MOD-023", "MOD-024", "MOD-025", "MOD-026"}
	for how, also := range map[string]string{"dual": "MOD-031", "modern": "MOD-013"} {
		t.Run(how, func(t *testing.T) {
			want := append([]string{also}, everywhere...)
			if how == "modern" {
				want = append(want, "MOD-027")
			}
			slices.Sort(want)
			command := client.Command{Args: []string{os.Args[0]}, Env: []string{manner + "=" + how}}
			report := lint.Run(probed(t, command), rules.Rules(), lint.Options{})
			var found []string
			for _, f := range report.Findings {
				found = append(found, f.RuleID)
			}
			slices.Sort(found)
			if found = slices.Compact(found); !slices.Equal(found, want) {
				t.Errorf("found %q, want %q", found, want)
			}
		})
	}
}
