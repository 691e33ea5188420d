package launch_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcpworks/internal/version"
	"mcpworks/mcp"
	"mcpworks/packs/launch"

	"github.com/google/go-cmp/cmp"
)

// names are the 23 of 3.2: the ten, the eleven, and two aliases.
var names = []string{
	"launch_run", "get_run_status", "list_runs", "get_artifact", "validate_run", "resume_run", "cancel_run", "get_telemetry", "list_taskcards", "validate_taskcard",
	"launch_start_run", "launch_start_run_from_product_url", "launch_start_run_from_github_repo_url", "launch_get_status", "launch_get_artifact",
	"launch_validate", "launch_fix_next", "launch_resume", "launch_cancel", "launch_open_pr", "launch_list_runs",
	"launch_start_run_from_url", "get_run_telemetry",
}

func TestS2AllToolsAreListed(t *testing.T) {
	s := newHouse(t, launch.Config{}, nil, false).open(t)
	var result struct {
		Tools []struct {
			Name, Description string
			InputSchema       struct {
				Type                 string
				AdditionalProperties *bool
			}
			OutputSchema json.RawMessage
			Meta         struct{ Deprecated bool } `json:"_meta"`
		}
		NextCursor string
	}
	if err := json.Unmarshal(s.ask("tools/list", "{}").Result, &result); err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, tool := range result.Tools {
		listed = append(listed, tool.Name)
		if tool.InputSchema.Type != "object" || tool.InputSchema.AdditionalProperties == nil || *tool.InputSchema.AdditionalProperties || tool.OutputSchema == nil {
			t.Errorf("%s has not the schemas it should have", tool.Name)
		}
		deprecated := tool.Name == "launch_start_run_from_url" // S-14
		if tool.Meta.Deprecated != deprecated || strings.Contains(tool.Description, "Deprecated") != deprecated {
			t.Errorf("%s says deprecated: %v, %q", tool.Name, tool.Meta.Deprecated, tool.Description)
		}
	}
	slices.Sort(listed)
	want := slices.Sorted(slices.Values(names))
	if diff := cmp.Diff(want, listed); diff != "" || result.NextCursor != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// S-14: the old name stands in the catalogue, and nowhere else in the code.
func TestS14OldNameIsOnlyAnAlias(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "launch_start_run_from_url") && file != "catalogue.go" && !strings.HasSuffix(file, "_test.go") {
			t.Errorf("%s uses the old name", file)
		}
	}
}

// S-18, S-49: who answers, and in which revision.
func TestS18Initialize(t *testing.T) {
	h := newHouse(t, launch.Config{}, nil, false)
	for version, want := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25", "1999-01-01": "2025-11-25",
	} {
		s := connect(t, h.server(t), h.places, version)
		var result struct {
			ProtocolVersion string
			ServerInfo      struct{ Name, Version string }
			Capabilities    json.RawMessage
		}
		again := connectRaw(t, h)
		if err := json.Unmarshal(again.ask("initialize", `{"protocolVersion":"`+version+`","capabilities":{},"clientInfo":{"name":"test","version":"0"}}`).Result, &result); err != nil {
			t.Fatal(err)
		}
		if result.ProtocolVersion != want || result.ServerInfo.Name != "foss-launcher-mcp" || result.ServerInfo.Version != versionNumber ||
			string(result.Capabilities) != `{"resources":{},"tools":{}}` {
			t.Errorf("%s: %+v", version, result)
		}
		structured := strings.Contains(string(s.call("list_runs", "{}").Result), `"structuredContent"`)
		if structured != mcp.RevisionOf(want).Structured { // 3.3
			t.Errorf("%s: structured content is %v", version, structured)
		}
	}
}

const versionNumber = "0.1.0"

func TestVersionIsThatOfTheBuild(t *testing.T) {
	if version.Number != versionNumber {
		t.Errorf("the version is %s", version.Number)
	}
}

// C-1: both names of an operation give the same bytes.
func TestC1NamesOfAnOperationAgree(t *testing.T) {
	h := newHouse(t, launch.Config{}, nil, true)
	s := h.open(t)
	run := s.start("one")
	<-h.walker.resting(run)
	for first, second := range map[string]string{
		"get_run_status": "launch_get_status", "list_runs": "launch_list_runs", "get_artifact": "launch_get_artifact", "validate_run": "launch_validate",
	} {
		arguments := map[string]string{"list_runs": "{}", "get_artifact": `{"run_id":"` + run + `","artifact_name":"page_plan.json"}`}[first]
		if arguments == "" {
			arguments = `{"run_id":"` + run + `"}`
		}
		one, other := s.call(first, arguments).structured(t, nil), s.call(second, arguments).structured(t, nil)
		if one != other {
			t.Errorf("%s says %s, %s says %s", first, one, second, other)
		}
	}
}

func TestResources(t *testing.T) {
	h := newHouse(t, launch.Config{}, nil, true)
	s := h.open(t)
	run := s.start("one")
	<-h.walker.resting(run)
	var list struct{ Resources []struct{ URI string } }
	if err := json.Unmarshal(s.ask("resources/list", "{}").Result, &list); err != nil {
		t.Fatal(err)
	}
	want := []struct{ URI string }{{"resource://server/metrics"}, {"resource://server/release-notes"}, {"resource://run/" + run + "/page_plan.json"}, {"resource://run/" + run + "/snapshot.json"}}
	if diff := cmp.Diff(want, list.Resources); diff != "" { // S-26: those that exist
		t.Errorf("-want +got:\n%s", diff)
	}
	if r := s.ask("resources/read", `{"uri":"resource://server/release-notes"}`); !strings.Contains(string(r.Result), "### Breaking MCP changes") { // S-50
		t.Errorf("the release notes are %s %+v", r.Result, r.Error)
	}
	for uri, code := range map[string]int{
		"resource://run/" + run + "/validation_report.json":              -32002,
		"resource://run/no_such_run/snapshot.json":                       -32002,
		"resource://elsewhere":                                           -32002,
		"resource://run/" + run + "/../../index.db":                      -32602,
		"resource://run/" + run + "/snapshot.json?offset=a":              -32602,
		"resource://run/" + run + "/snapshot.json?offset=0&max_bytes=10": -32602,
	} {
		r := s.ask("resources/read", `{"uri":"`+uri+`"}`)
		if r.Error == nil || r.Error.Code != code || r.Error.Data.ErrorCode == "" || r.Error.Data.Retryable == nil { // 18.15
			t.Errorf("%s: %+v %s", uri, r.Error, r.Result)
		}
	}
	if r := s.ask("resources/read", `{"uri":"resource://run/`+run+`/page_plan.json?offset=2&max_bytes=1024"}`); !strings.Contains(string(r.Result), `"text":"  \"pages\": []\n}\n"`) {
		t.Errorf("a piece is %s %+v", r.Result, r.Error)
	}
}
