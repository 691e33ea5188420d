package contextengine_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/internal/version"
	"mcpworks/packs/contextengine"

	"github.com/google/go-cmp/cmp"
)

// toolsLine is the line of MCP-9 as the contract prints it, without the breaks.
const toolsLine = `{"jsonrpc":"2.0","id":2,"result":{"tools":[` +
	`{"description":"Resolve context from a cache using a query and token budget","inputSchema":{"properties":{"budget":{"description":"Maximum token budget for selected context","minimum":0,"type":"integer"},"cache":{"description":"Cache directory name (relative to CONTEXT_CACHE_ROOT)","type":"string"},"query":{"description":"Search query for context selection","type":"string"}},"required":["cache","query","budget"],"type":"object"},"name":"context.resolve"},` +
	`{"description":"List available context caches under the server's cache root","inputSchema":{"properties":{},"type":"object"},"name":"context.list_caches"},` +
	`{"description":"Inspect cache structure, metadata, and validity","inputSchema":{"properties":{"cache":{"description":"Cache directory name (relative to CONTEXT_CACHE_ROOT)","type":"string"}},"required":["cache"],"type":"object"},"name":"context.inspect_cache"}]}}` + "\n"

func TestMCP9ToolsLineIsExact(t *testing.T) {
	srv := newV0(t, contextengine.Config{Root: t.TempDir()})
	got := converse(t, srv, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, true)
	if diff := cmp.Diff(toolsLine, got); diff != "" {
		t.Errorf("tools/list (-want +got):\n%s", diff)
	}
}

func TestMCP5InitializeListsTheSameTools(t *testing.T) {
	srv := newV0(t, contextengine.Config{Root: t.TempDir()})
	got := converse(t, srv, `{"jsonrpc":"2.0","id":2,"method":"initialize"}`, false)
	_, array, _ := strings.Cut(toolsLine, `"result":{`)
	want := `{"jsonrpc":"2.0","id":2,"result":{"capabilities":{"tools":{}},"protocolVersion":"2024-11-05",` +
		`"serverInfo":{"name":"mcp-context-server","version":"` + version.Number + `"},` + array
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("initialize (-want +got):\n%s", diff)
	}
}

// TestToolSurface compares each tool as New offers it with its golden file: what
// models read does not change unnoticed.
func TestToolSurface(t *testing.T) {
	seen := map[string]bool{}
	for _, raw := range openModern(t, contextengine.Config{Root: t.TempDir()}, "2025-11-25").ask("tools/list", "{}").Result.Tools {
		var tool struct{ Name string }
		var got bytes.Buffer
		if err := json.Unmarshal(raw, &tool); err != nil {
			t.Fatal(err)
		}
		if err := json.Indent(&got, raw, "", "  "); err != nil {
			t.Fatal(err)
		}
		got.WriteByte('\n')
		golden := filepath.Join("testdata", "tools", tool.Name+".json")
		seen[golden] = true
		if *update {
			if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", golden, diff)
		}
	}
	files, _ := filepath.Glob("testdata/tools/*")
	if len(files) != len(seen) {
		t.Errorf("%q describe %d tools", files, len(seen))
	}
}

func TestConfigIsChecked(t *testing.T) {
	for name, cfg := range map[string]contextengine.Config{
		"no root":          {},
		"negative timeout": {Root: "x", Timeout: -1},
		"negative memory":  {Root: "x", Memory: -1},
	} {
		if _, err := contextengine.New(cfg); err == nil {
			t.Errorf("New takes a config with %s", name)
		}
	}
}
