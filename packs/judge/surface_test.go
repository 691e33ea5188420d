package judge_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mcpworks/internal/version"
	"mcpworks/packs/judge"

	"github.com/google/go-cmp/cmp"
)

func idle(t *testing.T) *session {
	return open(t, newServer(t, judge.Config{BaseURL: "http://127.0.0.1:1"}))
}

func TestInvariant15InitializeAdvertisesToolsOnly(t *testing.T) {
	for _, revision := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "1999-01-01"} {
		s := &session{}
		s.connect(t, newServer(t, judge.Config{BaseURL: "http://127.0.0.1:1"}))
		r := s.ask(t, "initialize", `{"protocolVersion":"`+revision+`","capabilities":{},"clientInfo":{"name":"test","version":"0"}}`).Result
		if r.ServerInfo.Name != "oj-mcp-rs" || r.ServerInfo.Version != version.Number {
			t.Errorf("%s: serverInfo is %+v", revision, r.ServerInfo)
		}
		if names := slices.Collect(maps.Keys(r.Capabilities)); !slices.Equal(names, []string{"tools"}) {
			t.Errorf("%s: capabilities are %q, want tools only", revision, names)
		}
		var tools struct{ ListChanged bool }
		if err := json.Unmarshal(r.Capabilities["tools"], &tools); err != nil || tools.ListChanged {
			t.Errorf("%s: tools is %s", revision, r.Capabilities["tools"])
		}
	}
}

// order is how the tools are listed (section 5), required what invariant 17
// says of their arguments.
var (
	order    = []string{"get_daily_challenge", "get_problem", "find_similar_problems", "resolve_problem", "get_platform_status"}
	required = map[string][]string{"get_problem": {"source", "id"}, "resolve_problem": {"query"}}
)

type definition struct {
	Name, Description string
	InputSchema       struct {
		Type     string
		Required []string
	}
	OutputSchema json.RawMessage
	Annotations  struct{ ReadOnlyHint, OpenWorldHint bool }
}

func TestInvariants16And17ToolsAndTheirArguments(t *testing.T) {
	var names []string
	for _, raw := range idle(t).ask(t, "tools/list", "{}").Result.Tools {
		var d definition
		if err := json.Unmarshal(raw, &d); err != nil {
			t.Fatal(err)
		}
		names = append(names, d.Name)
		if d.Description == "" || d.InputSchema.Type != "object" || d.OutputSchema != nil {
			t.Errorf("%s needs a description and an object schema, and no output schema", d.Name)
		}
		if diff := cmp.Diff(required[d.Name], d.InputSchema.Required); diff != "" {
			t.Errorf("%s requires (-want +got):\n%s", d.Name, diff)
		}
		if !d.Annotations.ReadOnlyHint || !d.Annotations.OpenWorldHint {
			t.Errorf("%s is not marked as read-only in an open world", d.Name)
		}
	}
	if diff := cmp.Diff(order, names); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
}

// TestToolSurface compares the definition of each tool with its golden file:
// what models read does not change unnoticed.
func TestToolSurface(t *testing.T) {
	seen := map[string]bool{}
	for _, raw := range idle(t).ask(t, "tools/list", "{}").Result.Tools {
		var d definition
		var got bytes.Buffer
		if err := json.Unmarshal(raw, &d); err != nil {
			t.Fatal(err)
		}
		if err := json.Indent(&got, raw, "", "  "); err != nil {
			t.Fatal(err)
		}
		got.WriteByte('\n')
		golden := filepath.Join("testdata", "tools", d.Name+".json")
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
	for _, file := range files {
		if !seen[file] {
			t.Errorf("%s describes no tool", file)
		}
	}
}

// TestModernClientsNeedNoHandshake is the stateless era: the same answer, and
// the same result as in a session.
func TestModernClientsNeedNoHandshake(t *testing.T) {
	s := &session{}
	s.connect(t, newServer(t, judge.Config{BaseURL: "http://127.0.0.1:1"}))
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	r := s.ask(t, "tools/call", `{"name":"get_problem","arguments":{},`+meta+`}`)
	if r.kind() != "failed result" || r.text() != "source and id must be non-empty" {
		t.Errorf("answer is %s %q", r.kind(), r.text())
	}
}
